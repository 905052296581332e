import { describe, expect, it } from 'vitest'
import { guardCommand } from '../../../main/workspace/consoleGuard.ts'

describe('The guard of the console', () => {
  it.each([
    'rm -rf /data', 'rm file', 'sudo rm x', '/bin/rm x', 'busybox rm x', 'sudo -n /usr/bin/rm x', 'nice -n 5 rm x', 'timeout 5 rm x',
    "r''m x", '"rm" x', 'r\\m x', 'ls; rm x', 'ls && rm x', 'ls | xargs rm', 'ls||rm x', 'ls & rm x', '(rm x)', '{ rm x; }', '! rm x',
    'A=1 rm x', 'env A=1 rm x', 'RM x', 'rmdir x', 'unlink x', 'shred x', 'mv a b', 'dd if=/dev/zero of=/dev/mmcblk0', 'mkfs.ext4 /dev/sda1',
    'find / -name x -delete', 'find . -exec ls {} +', 'truncate -s 0 x', 'echo x > /etc/passwd', 'echo x >> /etc/passwd', 'echo x>y', ': > x',
    'echo x | tee /etc/hosts', 'cat x | sh', 'sh -c ls', 'bash script', 'eval ls', 'python3 -c 1', 'node -e 1', 'perl -i x', 'awk 1',
    '$(echo rm) x', '`echo rm` x', '$RM x', '${RM} x', "$'\\x72m' x", 'ls $(rm x)', '/bin/r? x', '/bin/r* x', 'rm\nls', 'ls\nrm x',
    'redis-cli flushall', 'redis-cli DEL modem_configuration', 'apt-get remove x', 'opkg remove x', 'npm uninstall x', 'systemctl stop tracker',
    'poweroff', 'halt', 'shutdown -h now', 'init 0', 'kill -9 1', 'killall node', 'chmod 777 /', 'passwd', 'iptables -F', 'ip link set eth0 down',
    'ifconfig wlan0 down', 'fw_setenv a b', 'flash_erase /dev/mtd0 0 0', 'sed -i s/a/b/ x', 'cp x /etc/passwd', 'crontab -r', 'wget -O x http://y',
    'curl -o x http://y', 'f(){ rm x; };f', 'umount /data', 'sqlite3 db "delete from x"', 'install x /bin/y', 'tar -xf x'
  ])('holds back: %s', (command) => {
    expect(guardCommand(command)).toMatch(/\.$/)
  })

  it.each([
    'uptime', 'ls -la /data', 'cat /etc/os-release', 'df -h', 'free -m', 'ps aux', 'ps aux | grep tracker', 'date', 'hostname', 'uname -a', 'dmesg | tail -n 20',
    'ip addr', 'ip addr show eth0', 'ifconfig', 'ping -c 3 10.0.0.1', 'sudo dmesg', 'top -b -n 1', 'ls 2>/dev/null', 'ls 2>&1', 'grep "a > b" file',
    'find /data -name "*.log"', 'systemctl status tracker', 'journalctl -n 50', 'echo remove', 'ls /data/rm', 'redis-cli hgetall modem_information',
    'head -n 5 /var/log/messages', 'iptables -L', 'reboot', 'du -sh /data', 'env', 'echo "rm"'
  ])('lets through: %s', (command) => {
    expect(guardCommand(command)).toBeUndefined()
  })
})
