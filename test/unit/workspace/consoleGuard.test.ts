import { describe, expect, it } from 'vitest'
import { judgeCommand } from '../../../main/workspace/consoleGuard.ts'

/** Ways to start a command that a shell, or a program of the device, offers. */
const wrappings: readonly ((command: string) => string)[] = [
  (command) => command,
  (command) => `sudo ${command}`,
  (command) => `sudo -u root ${command}`,
  (command) => `sudo -n -g disk ${command}`,
  (command) => `doas -u root ${command}`,
  (command) => `env -u HOME ${command}`,
  (command) => `env A=1 ${command}`,
  (command) => `env -S "${command}"`,
  (command) => `A=1 B=2 ${command}`,
  (command) => `chroot /mnt ${command}`,
  (command) => `flock /tmp/l ${command}`,
  (command) => `flock /tmp/l -c '${command}'`,
  (command) => `nsenter -t 1 -m ${command}`,
  (command) => `nsenter --target 1 --mount -- ${command}`,
  (command) => `unshare -m ${command}`,
  (command) => `setsid -w ${command}`,
  (command) => `nohup ${command}`,
  (command) => `stdbuf -o0 ${command}`,
  (command) => `nice -n 5 ${command}`,
  (command) => `ionice -c 3 ${command}`,
  (command) => `taskset 1 ${command}`,
  (command) => `chrt -f 1 ${command}`,
  (command) => `timeout -k 1 5 ${command}`,
  (command) => `time -p ${command}`,
  (command) => `watch -n 1 '${command}'`,
  (command) => `busybox ${command}`,
  (command) => `toybox ${command}`,
  (command) => `command -p ${command}`,
  (command) => `exec ${command}`,
  (command) => `su root -c '${command}'`,
  (command) => `sh -c '${command}'`,
  (command) => `bash -lc "${command}"`,
  (command) => `sh -c "sh -c '${command}'"`,
  (command) => `sudo sh -c '${command}'`,
  (command) => `ssh localhost ${command}`,
  (command) => `systemd-run --pipe ${command}`,
  (command) => `start-stop-daemon -S -x ${command}`,
  (command) => `script -c '${command}' /dev/null`,
  (command) => `docker exec app ${command}`,
  (command) => `docker run -v /:/host alpine ${command}`,
  (command) => `somethingNobodyKnows --with x ${command}`,
  (command) => `ls | xargs ${command}`,
  (command) => `ls | xargs -I{} ${command}`,
  (command) => `ls; ${command}`,
  (command) => `ls && ${command}`,
  (command) => `ls || ${command}`,
  (command) => `ls & ${command}`,
  (command) => `(${command})`,
  (command) => `{ ${command}; }`,
  (command) => `! ${command}`,
  (command) => `if true; then ${command}; fi`,
  (command) => `if ${command}; then true; fi`,
  (command) => `while true; do ${command}; done`,
  (command) => `until ${command}; do true; done`,
  (command) => `for x in 1; do ${command}; done`,
  (command) => `case a in a) ${command};; esac`,
  (command) => `find / -name x -exec ${command} +`,
  (command) => `coproc ${command}`,
  (command) => `trap '${command}' EXIT`,
  (command) => `alias l='${command}'; l`,
  (command) => `eval '${command}'`,
  (command) => `ls 2>/dev/null; ${command} >/dev/null 2>&1`
]

const destroying: readonly [string, string][] = [
  ['removesFiles', 'rm -rf /data'],
  ['removesFiles', '/bin/rm /data/x'],
  ['removesFiles', 'unlink /data/x'],
  ['overwritesFiles', 'dd if=/dev/zero of=/dev/mmcblk0'],
  ['overwritesFiles', 'mv /data/a /data/b'],
  ['wipesDisk', 'mke2fs /dev/mmcblk0p1'],
  ['wipesDisk', 'mkfs.ext4 /dev/mmcblk0p1'],
  ['writesFlash', 'flash_erase /dev/mtd0 0 0'],
  ['switchesOff', 'poweroff'],
  ['changesRights', 'chmod 777 /data'],
  ['setsOutput', 'curl http://localhost:8080/IO/OUT1/true']
]

describe('Destruction that can be recognised is refused', () => {
  const table = destroying.flatMap(([why, command]) => wrappings.map((wrap) => [why, wrap(command)] as const))
  it.each(table)('%s: %s', (_why, line) => {
    expect(judgeCommand(line)).toMatchObject({ kind: 'refused' })
  })

  it.each(destroying)('and the reason is told: %s, %s', (why, command) => {
    expect(judgeCommand(`sudo -u root ${command}`)).toMatchObject({ kind: 'refused', why })
  })

  it.each([
    'rm file', 'sudo rm x', 'busybox rm x', "r''m x", '"rm" x', 'r\\m x', "'/bin/rm' x", '/usr/bin/../bin/rm x', 'RM x', 'rmdir x', 'shred x', 'wipe x',
    'find / -name x -delete', 'find . -exec ls {} +', 'find . -ok ls ;', 'find . -fprint x', 'truncate -s 0 x', 'tee /etc/hosts', 'echo x | tee x', 'redis-cli flushall',
    'redis-cli DEL modem_configuration', 'valkey-cli -n 1 config set dir /', 'redis-cli shutdown', 'apt-get remove x', 'opkg remove x', 'npm uninstall x', 'dpkg -r x',
    'systemctl stop tracker', 'systemctl --now disable tracker', 'systemctl -p status stop tracker', 'service tracker stop', 'service tracker stop status', 'halt',
    'shutdown -h now', 'init 0', 'kill -9 1', 'killall node', 'pkill tracker', 'passwd', 'deluser x', 'iptables -F', 'nft flush ruleset', 'ip link set eth0 down',
    'ip link s eth0 down', 'ifconfig wlan0 down', 'nmcli radio off', 'rfkill block all', 'fw_setenv a b', 'nandwrite x', 'sed -i s/a/b/ x', 'sed --in-place s/a/b/ x',
    'cp x /etc/passwd', 'crontab -r', 'wget -O x http://y', 'curl -o x http://y', 'curl -K config', 'umount /data', 'modprobe -r x', 'sqlite3 db "delete from x"',
    'install x /bin/y', 'tar -xf x', 'git clean -fdx', 'docker run alpine', 'docker rm x', 'podman run x', 'docker system prune', 'wipefs -a /dev/sda', 'mkswap /dev/sda',
    'kexec -e', 'ubirmvol /dev/ubi0 -N x', 'devmem 0x1 32 1'
  ])('%s', (line) => {
    expect(judgeCommand(line)).toMatchObject({ kind: 'refused' })
  })
})

describe('Outputs have one door, and the console is none', () => {
  it.each([
    'curl -X POST http://localhost:8080/IO/OUT1/true', 'curl http://127.0.0.1:8080/IO/OUT1/true', 'curl http://127.1:8080/IO/OUT1/true', 'curl http://[::1]:8080/IO/OUT1/true',
    'curl http://0:8080/IO/OUT1/true', 'curl http://2130706433:8080/IO/OUT1/true', 'curl http://10.0.0.5/%49%4F/OUT1/true', 'curl http://10.0.0.5/%2549O/%4FUT1/true',
    'curl "http://10.0.0.5:8080/IO/OUT[1-4]/true"', 'curl http://fm-356307042441013.local:8080/IO/OUT1/true', "curl http://10.0.0.5/I''O/OUT1/true", 'wget --post-data= http://localhost:8080/IO/OUT1/true',
    'wget -q http://localhost/IO/OUT2/true', 'busybox wget http://127.0.0.1:8080/IO/OUT1/false', 'sudo -u root curl localhost:8080/io/out1/true', 'nc localhost 8080', 'curl localhost:8080/exec',
    'socat - TCP:127.0.0.1:8080', 'setoutput 1 true', 'set_output OUT1 1', 'outputctl OUT1 on', 'io-tool OUT1 true', 'iotool set OUT2 1', 'output 1 on', '/usr/bin/output OUT1 on',
    'node /opt/io/out.js OUT1 true', 'gpioset 0 5=1', 'gpio write 3 1', 'relay 1 on', 'redis-cli hset io OUT1 true', 'redis-cli publish outputs OUT1:true', 'sudo -u root switch-output OUT3 on'
  ])('%s', (line) => {
    expect(judgeCommand(line)).toMatchObject({ kind: 'refused' })
  })
})

describe('What cannot be read for certain is refused', () => {
  it.each([
    ['manyLines', 'ls\nrm x'], ['manyLines', 'ls\r'], ['manyLines', 'ls\0'], ['hiddenCharacters', 'ls \u202egnp.x'], ['hiddenCharacters', 'ls \u200b'], ['hiddenCharacters', 'ls \x1b[2J'],
    ['hiddenCharacters', 'ls \x9b2J'], ['openQuote', "ls 'x"], ['openQuote', 'ls "x'], ['openQuote', 'ls \\'], ['insideAnother', '$(echo rm) x'], ['insideAnother', '`echo rm` x'],
    ['insideAnother', '$RM x'], ['insideAnother', '${RM} x'], ['insideAnother', "$'\\x72m' x"], ['insideAnother', 'ls $(rm x)'], ['insideAnother', 'ls "$(rm x)"'], ['insideAnother', 'ls "`rm x`"'],
    ['function', 'f(){ rm x; };f'], ['function', 'f () { ls; }'], ['writesFile', 'echo x > /etc/passwd'], ['writesFile', 'echo x >> /etc/passwd'], ['writesFile', 'echo x>y'], ['writesFile', ': > x'],
    ['writesFile', 'echo x >| y'], ['writesFile', 'echo x &> y'], ['writesFile', 'echo x >/dev/null/../y'], ['writesFile', 'ls >(sh)'], ['writesFile', 'cat <> x'], ['feedsInput', 'sh <<< rm'],
    ['feedsInput', 'cat <(ls)'], ['feedsInput', 'sh << x'], ['comment', 'ls a#b; rm x'], ['comment', 'ls # x'], ['notReadable', '&&'], ['programUnknown', '/bin/r? x'], ['programUnknown', '/bin/r* x'],
    ['programUnknown', '/bin/r[m] x'], ['programUnknown', '{ls,x}'], ['programUnknown', 'sudo -u root /bin/r? x'], ['programUnknown', '"" x'], ['cannotBeSeen', 'cat x | sh'], ['cannotBeSeen', 'bash script'],
    ['cannotBeSeen', 'python3 -c 1'], ['cannotBeSeen', 'node -e 1'], ['cannotBeSeen', 'perl -e 1'], ['cannotBeSeen', 'awk 1'], ['cannotBeSeen', 'eval ls'], ['cannotBeSeen', '. ./x'], ['cannotBeSeen', 'source x'],
    ['cannotBeSeen', 'sudo -u root sh'], ['cannotBeSeen', 'chroot /mnt sh script']
  ])('%s: %s', (why, line) => {
    expect(judgeCommand(line)).toMatchObject({ kind: 'refused', why })
  })
})

describe('What only reads is sent without a question', () => {
  it.each([
    'uptime', 'ls -la /data', 'ls /data/*.log', 'cat /etc/os-release', 'df -h', 'free -m', 'ps aux', 'ps aux | grep tracker', 'date', 'date +%s', 'date -u', 'hostname', 'uname -a', 'dmesg | tail -n 20',
    'dmesg -T', 'ip addr', 'ip addr show eth0', 'ip -br link', 'ip route get 10.0.0.1', 'ifconfig', 'ifconfig eth0', 'ping -c 3 10.0.0.1', 'sudo dmesg', 'sudo -n dmesg', 'timeout 5 ping 10.0.0.1',
    'top -b -n 1', 'ls 2>/dev/null', 'ls 2>&1', 'ls >/dev/null 2>&1', 'grep "a > b" file', "grep '$x' file", 'find /data -name "*.log"', 'systemctl status tracker', 'systemctl', 'journalctl -n 50',
    'echo remove', 'ls /data/rm', 'redis-cli hgetall modem_information', 'valkey-cli -n 1 get x', 'head -n 5 /var/log/messages', 'iptables -L', 'iptables -t nat -nvL', 'du -sh /data', 'env', 'echo "rm"',
    'echo rm -rf /', 'cat /data/x | sort | uniq -c', '/bin/ls', '/usr/bin/uptime', 'busybox ls', 'sysctl -a', 'mount', 'crontab -l', 'docker ps', 'cat < /etc/hosts', 'nmcli device status', 'nmcli device wifi list',
    'mmcli -m 0', 'test -f /data/x && echo yes'
  ])('%s', (line) => {
    expect(judgeCommand(line)).toEqual({ kind: 'free' })
  })
})

describe('Everything else is sent only after a person repeated it', () => {
  it.each([
    'reboot', 'systemctl restart tracker', 'tracker-selftest', './check', '/data/ls', 'A=1 ls', 'LD_PRELOAD=/data/x ls', 'date 010203042026', 'date -s 12:00', 'hostname other', 'hostname -F x', 'sort -o x y', 'uniq a b',
    'dmesg -n 1', 'env A=1 ls', 'env ls', 'mount /dev/sda1 /mnt', 'sysctl -w a=1', 'sysctl a=1', 'curl -I https://example.com', 'wget --spider http://example.com', 'sh -c ls', 'bash -c "ls /data"', 'if true; then ls; fi',
    'for x in a b; do ls; done', 'chroot /mnt ls', 'nsenter -t 1 -m ls', 'flock /tmp/l ls', 'ls | xargs cat', 'sed -n 5p x', 'kill 1234', 'apt-get update', 'opkg update', 'touch /data/x', 'mkdir /data/x',
    'cp /data/a /data/b', 'ping 10.0.0.1; reboot', 'ip addr add 10.0.0.2/24 dev eth0', 'ip link set eth0 up', 'nmcli c up x', 'redis-cli set a b', 'ss -K', 'hwclock -w', 'timedatectl set-time 12:00', 'tcpdump -i eth0',
    'candump can0', 'ethtool -s eth0 speed 10', 'sudo -i', 'sudo --login ls', 'apt list -o Dir::Etc=/data'
  ])('%s', (line) => {
    expect(judgeCommand(line)).toEqual({ kind: 'confirm' })
  })
})
