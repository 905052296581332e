/** The reason why a command is blocked, even after confirmation. */
export type Destruction =
  | 'removesFiles'
  | 'overwritesFiles'
  | 'wipesDisk'
  | 'writesFlash'
  | 'switchesOff'
  | 'changesUsers'
  | 'endsPrograms'
  | 'changesRights'
  | 'takesSystemAway'
  | 'removesSoftware'
  | 'removesSettings'
  | 'stopsSystem'
  | 'locksOut'
  | 'cutsConnection'
  | 'runsContainer'
  | 'setsOutput'

/** Programs that delete, overwrite or wipe with any arguments and at any position in a command. */
const programs = new Map<string, Destruction>(
  (
    [
      ['removesFiles', 'rm rmdir unlink shred srm wipe trash deltree'],
      ['overwritesFiles', 'dd ddrescue dcfldd truncate mv fallocate rename'],
      [
        'wipesDisk',
        'wipefs blkdiscard fdisk sfdisk gdisk sgdisk cfdisk parted partprobe mkswap mkfs mke2fs mkdosfs mkntfs mkexfatfs newfs fsck e2fsck badblocks debugfs tune2fs resize2fs cryptsetup lvremove vgremove pvremove mdadm dmsetup hdparm'
      ],
      [
        'writesFlash',
        'flash_erase flash_eraseall flashcp nandwrite mtd mtd_debug mtdpart ubiformat ubiupdatevol ubirmvol ubirename fw_setenv sysupgrade firstboot swupdate rauc mender fwupdate devmem devmem2'
      ],
      ['switchesOff', 'poweroff halt shutdown kexec rtcwake pm-suspend pm-hibernate'],
      [
        'changesUsers',
        'userdel deluser usermod passwd chpasswd adduser useradd groupdel delgroup groupmod visudo vipw vigr chsh chage'
      ],
      ['endsPrograms', 'killall killall5 pkill skill'],
      ['changesRights', 'chmod chown chgrp chattr setfacl setcap'],
      ['takesSystemAway', 'umount swapoff insmod rmmod modprobe depmod pivot_root switch_root']
    ] as const
  ).flatMap(([why, names]) => names.split(' ').map((name) => [name, why] as const))
)

/** Programs that destroy data only with certain arguments. */
const programsWith: readonly { name: RegExp; args: RegExp; why: Destruction }[] = [
  { name: /^find$/, args: /(^|\s)-(delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls)\b/, why: 'removesFiles' },
  {
    name: /^(apt|apt-get|dpkg|opkg|apk|yum|dnf|rpm|npm|pip3?|snap)$/,
    args: /(^|\s)(remove|purge|uninstall|autoremove|del|erase|rm|un|-r|-P|-e)(\s|$)/,
    why: 'removesSoftware'
  },
  {
    name: /^(redis-cli|valkey-cli)$/,
    args: /\b(flushall|flushdb|del|unlink|hdel|rename|shutdown|config|eval|debug)\b/i,
    why: 'removesSettings'
  },
  {
    name: /^(sqlite3|mysql|psql|mongo|mongosh)$/,
    args: /\b(delete|drop|truncate|update|alter)\b/i,
    why: 'removesSettings'
  },
  {
    name: /^systemctl$/,
    args: /\b(stop|disable|mask|isolate|kill|poweroff|halt|rescue|emergency|suspend|hibernate)\b/,
    why: 'stopsSystem'
  },
  { name: /^(service|rc-service)$/, args: /\bstop\b/, why: 'stopsSystem' },
  { name: /^(init|telinit)$/, args: /\S/, why: 'stopsSystem' },
  { name: /^kill$/, args: /(^|\s)-?1(\s|$)/, why: 'stopsSystem' },
  { name: /^(sed|perl|ruby)$/, args: /(^|\s)(-[a-z]*i|--in-place)/, why: 'overwritesFiles' },
  {
    name: /^(iptables|ip6tables|nft)$/,
    args: /(^|\s)(-F|-X|-P|-D|--flush|--delete\S*|--policy|flush|delete|destroy)(\s|$)/,
    why: 'locksOut'
  },
  {
    name: /^(ip|ifconfig|nmcli|wpa_cli|rfkill)$/,
    args: /\b(down|del|delete|flush|disable|disconnect|off|block)\b/,
    why: 'cutsConnection'
  },
  { name: /^ifdown$/, args: /\S/, why: 'cutsConnection' },
  { name: /^git$/, args: /\b(clean|reset|checkout|rm)\b/, why: 'removesFiles' },
  { name: /^crontab$/, args: /(^|\s)-r/, why: 'removesSettings' },
  {
    name: /^(cp|rsync|ln|tar|unzip|cpio|scp|install)$/,
    args: /(--delete|--remove|--unlink|\s\/(bin|boot|dev|etc|lib|sbin|usr|proc|sys)\b|(^|\s)-[a-z]*f)/,
    why: 'overwritesFiles'
  },
  { name: /^tee$/, args: /\S/, why: 'overwritesFiles' },
  {
    name: /^(curl|wget)$/,
    args: /(^|\s)(-[a-zA-Z]*[oOTK]|--output\S*|--remote-name\S*|--upload-file\S*|--config\S*)/,
    why: 'overwritesFiles'
  },
  {
    name: /^(docker|podman|nerdctl|ctr|lxc-\w+|crictl)$/,
    args: /\b(run|exec|create|start|cp|rm|rmi|kill|stop|prune|system|volume|compose|build|load|import|attach|destroy)\b/,
    why: 'runsContainer'
  }
]

const webClients = /^(curl|wget|http|https|httpie|xh|lynx|links|ab|telnet|nc|ncat|netcat|socat|ssl_client|fetch)$/
/** The device's own API, however its address is written; its output path matches for any host name. */
const ownApi =
  /:8080\b|\b8080\b|localhost|\b127\.|\[?::1\]?|\b0\.0\.0\.0\b|\b0x7f|\b2130706433\b|\b0177\.|\.local\b|\/io\b|\[?::ffff:/i
const outputName = /(^|[^a-z0-9])(d?out(put)?|relay|gpio)[_-]?[\d[{?*]|\b(relay|gpio\w*)\b/i
/** Names of programs that switch outputs, on any device. */
const outputProgram =
  /^(io([_-]?(ctl|set|write|tool|cmd))?|out(put)?s?|relays?|gpio\w*|douts?|(set|switch)[_-]?(io|out(put)?s?|relay))([_-]?(set|ctl|tool|on|off))?(\.(sh|py|js))?$/

/**
 * Finds what a command destroys; every word may be a program, so that no wrapper hides it. For commands not known to be
 * harmless.
 */
export function findDestruction(words: readonly string[]): { why: Destruction; name: string } | undefined {
  const parts = words.flatMap((word) => partsOf(word).map((text) => ({ text, name: baseName(text) })))
  for (const [at, { name }] of parts.entries()) {
    const known = programs.get(name.replace(/^mkfs\..*/, 'mkfs'))
    if (known) return { why: known, name }
    const rest = ` ${parts
      .slice(at + 1)
      .map(({ text }) => text)
      .join(' ')}`
    const rule = programsWith.find((candidate) => candidate.name.test(name) && candidate.args.test(rest))
    if (rule) return { why: rule.why, name }
    if (outputProgram.test(name)) return { why: 'setsOutput', name }
  }
  const whole = decoded(words.join(' '))
  const client = parts.find(({ name }) => webClients.test(name))
  if (client && ownApi.test(whole)) return { why: 'setsOutput', name: client.name }
  if (outputName.test(whole)) return { why: 'setsOutput', name: parts[0]?.name ?? '' }
  return undefined
}

/** A word may contain a whole command line (`sh -c "..."`, `--exec=...`): its parts are checked too. */
function partsOf(word: string): string[] {
  return word.split(/[\s;|&(){},=:'"`<>]+/).filter(Boolean)
}

function decoded(text: string): string {
  let now = text
  for (let round = 0; round < 3; round += 1)
    now = now.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return now.replace(/[\\'"]/g, '')
}

/** The name of a program, without its folder. */
export function baseName(path: string): string {
  return path.replace(/\\/g, '').split('/').at(-1)?.toLowerCase() ?? ''
}
