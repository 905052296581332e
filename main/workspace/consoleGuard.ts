/** Programs that delete, overwrite or wipe, whatever their arguments. */
const destructive = new Map<string, string>([
  ...['rm', 'rmdir', 'unlink', 'shred', 'srm', 'wipe'].map((name) => [name, 'it removes files'] as const),
  ...['dd', 'truncate', 'mv', 'install', 'fallocate'].map((name) => [name, 'it overwrites or moves files'] as const),
  ...['wipefs', 'blkdiscard', 'fdisk', 'sfdisk', 'gdisk', 'sgdisk', 'parted', 'mkswap', 'mkfs', 'format', 'fsck', 'tune2fs', 'resize2fs'].map(
    (name) => [name, 'it changes or wipes a disk'] as const
  ),
  ...['flash_erase', 'flash_eraseall', 'flashcp', 'nandwrite', 'mtd', 'mtd_debug', 'ubiformat', 'fw_setenv', 'sysupgrade', 'firstboot'].map(
    (name) => [name, 'it writes the flash memory'] as const
  ),
  ...['poweroff', 'halt', 'shutdown'].map((name) => [name, 'it switches the device off, and nobody could switch it on again from here'] as const),
  ...['userdel', 'deluser', 'usermod', 'passwd', 'chpasswd', 'adduser', 'useradd'].map((name) => [name, 'it changes who may sign in'] as const),
  ...['killall', 'pkill'].map((name) => [name, 'it ends programs by name'] as const),
  ...['chmod', 'chown', 'chattr', 'setfacl'].map((name) => [name, 'it changes the rights of files'] as const),
  ...['umount', 'swapoff', 'insmod', 'rmmod', 'modprobe'].map((name) => [name, 'it takes parts of the system away'] as const)
])

/** Programs that are harmless until this stands in their arguments. */
const destructiveWith: readonly { name: RegExp; args: RegExp; why: string }[] = [
  { name: /^find$/, args: /(^|\s)-(delete|exec|execdir|ok|okdir|fprintf?|fls)\b/, why: 'it removes or changes what it finds' },
  { name: /^(apt|apt-get|dpkg|opkg|apk|yum|dnf|rpm|npm|pip3?|snap)$/, args: /(^|\s)(remove|purge|uninstall|autoremove|del|erase|rm|un|-r|-P|-e)(\s|$)/, why: 'it removes software' },
  { name: /^(redis-cli|valkey-cli)$/, args: /\b(flushall|flushdb|del|unlink|hdel|rename|shutdown|config|eval|debug)\b/i, why: 'it removes settings of the device' },
  { name: /^(sqlite3|mysql|psql|mongo|mongosh)$/, args: /\b(delete|drop|truncate|update|alter)\b/i, why: 'it removes data' },
  { name: /^systemctl$/, args: /\b(stop|disable|mask|isolate|kill|poweroff|halt|rescue|emergency)\b/, why: 'it stops parts of the system' },
  { name: /^(service|rc-service)$/, args: /\bstop\b/, why: 'it stops parts of the system' },
  { name: /^kill$/, args: /(^|\s)-?1(\s|$)/, why: 'it ends the system' },
  { name: /^(sed|perl|ruby)$/, args: /(^|\s)-[a-z]*i/, why: 'it changes files in place' },
  { name: /^(iptables|ip6tables|nft)$/, args: /(^|\s)(-F|-X|-P|-D|--flush|--delete|flush|delete)(\s|$)/, why: 'it can lock everyone out' },
  { name: /^(ip|ifconfig|nmcli|wpa_cli)$/, args: /\b(down|del|delete|flush|disable|disconnect|off)\b/, why: 'it can cut the connection to the device' },
  { name: /^git$/, args: /\b(clean|reset|checkout)\b/, why: 'it removes or changes files' },
  { name: /^crontab$/, args: /(^|\s)-r/, why: 'it removes the timetable' },
  { name: /^(cp|rsync|ln|tar|unzip|cpio|scp)$/, args: /(--delete|--remove|--unlink|\s\/(bin|boot|dev|etc|lib|sbin|usr|proc|sys)\b|(^|\s)-[a-z]*f)/, why: 'it overwrites files of the system' },
  { name: /^tee$/, args: /\S/, why: 'it overwrites files' },
  { name: /^init$|^telinit$/, args: /\S/, why: 'it stops the system' },
  { name: /^(curl|wget)$/, args: /(^|\s)(-[a-zA-Z]*[oOT]|--output|--remote-name|--upload-file)/, why: 'it writes files' }
]

/** They run what is given to them: what that is cannot be seen from here. */
const interpreters = /^(sh|ash|bash|dash|zsh|ksh|eval|source|\.|exec|xargs|parallel|python[\d.]*|node|perl|ruby|lua|php|awk|gawk|mawk|vi|vim|ed|ex|expect|nc|socat|openssl)$/
/** They run the command that follows them. */
const prefixes = /^(sudo|doas|env|nohup|time|nice|ionice|timeout|stdbuf|setsid|busybox|toybox|command|builtin|chroot|su|watch|\\)$/

/**
 * Holds a command back that removes, overwrites or wipes something, before it is sent: the device refuses only some of
 * them. What cannot be read for certain (a command hidden in a variable, a substitution or an interpreter) is refused too.
 * Gives the reason as a sentence, or undefined when the command may be sent. No proof that it is harmless.
 */
export function guardCommand(command: string): string | undefined {
  if (/[\r\n\0]/.test(command)) return 'Give one command on one line.'
  if (/\$\(|`|<\(|>\(|\$\{|\$'|\$"/.test(command)) return 'A command inside another one ($(…), `…`, ${…}) cannot be checked here. Run them one after the other.'
  if (/\(\s*\)\s*\{/.test(command)) return 'Shell functions cannot be checked here.'
  if (hasWritingRedirect(command)) return 'Writing into a file with ">" is not allowed here: it can overwrite what the device needs.'
  for (const part of command.split(/\|\||&&|[;|&]/)) {
    const reason = guardPart(part.trim())
    if (reason) return reason
  }
  return undefined
}

/** Redirections to nowhere and of one stream into another write nothing. */
function hasWritingRedirect(command: string): boolean {
  const rest = command.replace(/\d*>{1,2}\s*\/dev\/null\b|\d*>&\d|&>\s*\/dev\/null\b/g, ' ')
  return /[<>]/.test(withoutQuoted(rest)) && />/.test(withoutQuoted(rest))
}

function withoutQuoted(text: string): string {
  return text.replace(/'[^']*'|"[^"]*"/g, '')
}

function guardPart(part: string): string | undefined {
  // `r\m`, `'rm'` and r""m are rm to a shell.
  const words = part.replace(/[\\'"]/g, '').replace(/^[({!\s]+|[)}\s]+$/g, '').split(/\s+/).filter(Boolean)
  while (words[0] !== undefined && (/^\w+=/.test(words[0]) || prefixes.test(baseName(words[0])))) {
    const isPrefix = prefixes.test(baseName(words.shift() ?? ''))
    while (isPrefix && words[0] !== undefined && (/^-/.test(words[0]) || /^\d+[smhd]?$/.test(words[0]))) words.shift()
  }
  const [first, ...rest] = words
  if (first === undefined) return undefined
  if (first.includes('$') || /[*?[]/.test(first)) return 'Which command this runs cannot be seen from here. Write its name out.'
  const name = baseName(first)
  const args = ` ${rest.join(' ')}`
  const why =
    destructive.get(name.replace(/^mkfs\..*/, 'mkfs')) ?? destructiveWith.find((rule) => rule.name.test(name) && rule.args.test(args))?.why
  if (why) return `"${name}" is not sent: ${why}.`
  if (interpreters.test(name)) return `"${name}" is not sent: what it would run cannot be checked here.`
  return undefined
}

function baseName(path: string): string {
  return path.split('/').at(-1)?.toLowerCase() ?? ''
}
