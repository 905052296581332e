/** Read-only commands for the most frequent questions. All are general system tools of the device. */
export const consolePresets = [
  { id: 'uptime', command: 'uptime' },
  { id: 'storage', command: 'df -h' },
  { id: 'memory', command: 'free' },
  { id: 'processes', command: 'top -b -n 1' },
  { id: 'addresses', command: 'ip addr' },
  { id: 'routes', command: 'ip route' },
  { id: 'ping', command: 'ping -c 4 8.8.8.8' },
  { id: 'clock', command: 'date' },
  { id: 'kernel', command: 'uname -a' },
  { id: 'messages', command: 'dmesg -T' }
] as const
