/** Whether a program only reads when it gets these arguments. */
type IsReading = (args: readonly string[]) => boolean

const always: IsReading = () => true
const noArguments: IsReading = (args) => args.length === 0
const isOption = (arg: string): boolean => arg.startsWith('-')
const without =
  (...refused: RegExp[]): IsReading =>
  (args) =>
    !args.some((arg) => refused.some((pattern) => pattern.test(arg)))
const onlyOptions =
  (allowed: RegExp): IsReading =>
  (args) =>
    args.every((arg) => !isOption(arg) || allowed.test(arg))
/** The first word is one of these or, with `orNone`, there is none: an option before it could have a value. */
const withVerb =
  (verbs: readonly string[], { orNone = false } = {}): IsReading =>
  ([verb, ...rest]) =>
    (verb === undefined ? orNone : verbs.includes(verb)) &&
    !rest.some((arg) => /^(-o|-c|-H|--host|--option|--config)/.test(arg))
const atMost =
  (count: number, inner: IsReading = always): IsReading =>
  (args) =>
    args.filter((arg) => !isOption(arg)).length <= count && inner(args)

/** These only read or compute with any arguments, and only print. */
const readers = [
  'uptime whoami id groups w who last lastlog uname arch nproc free df du lsblk lsusb lspci lscpu lsmod lsof lsns ls dir stat',
  'cat tac head tail wc cut tr nl rev fold expand column paste comm cmp diff md5sum sha1sum sha256sum sha512sum cksum sum strings hexdump od',
  'basename dirname realpath readlink pwd printenv echo printf true false test [ grep egrep fgrep zgrep zcat ps pgrep pidof pstree',
  'vmstat iostat mpstat netstat ping ping6 traceroute traceroute6 nslookup host which whereis type seq sleep numfmt factor locale getconf tty'
].flatMap((names) => names.split(' '))

const redisReads =
  'get mget hget hmget hgetall hkeys hvals hlen hexists keys scan hscan sscan exists type ttl pttl llen lrange lindex smembers scard sismember zrange zcard zscore strlen info ping dbsize time lastsave'.split(
    ' '
  )

/** Programs that only read with certain arguments. */
const readersWith: ReadonlyMap<string, IsReading> = new Map<string, IsReading>([
  [
    'date',
    (args) =>
      args.every((arg) => arg.startsWith('+') || /^(-u|-R|-I\w*|--utc|--iso-8601(=\w+)?|--rfc-\w+(=\w+)?)$/.test(arg))
  ],
  [
    'hostname',
    (args) => args.every((arg) => /^-(s|f|d|i|I|A|y|-fqdn|-short|-domain|-ip-address|-all-ip-addresses)$/.test(arg))
  ],
  ['cal', always],
  ['sensors', without(/^-s/, /^--set/)],
  ['ss', without(/^-\w*K/, /^--k/)],
  [
    'dmesg',
    onlyOptions(
      /^(-[THtxkruL]+|-[lf]|--(ctime|human|level|facility|kernel|userspace|decode|notime|reltime|since|until)(=.*)?|-\d+)$/
    )
  ],
  ['env', noArguments],
  ['mount', noArguments],
  ['top', (args) => args.some((arg) => /^-\w*b/.test(arg)) && onlyOptions(/^-[bcdHinpouwS0-9.]+$/)(args)],
  ['sort', without(/^-\w*[oTS]/, /^--(o|co|t)/)],
  ['uniq', atMost(1)],
  ['xxd', atMost(1, without(/^-r/))],
  ['find', without(/^-(delete|exec|execdir|ok|okdir|fprint|fprintf|fprint0|fls|quit)/)],
  ['tree', without(/^-o/)],
  ['file', without(/^-\w*C/, /^--compile/)],
  [
    'ip',
    (args) =>
      atMost(4)(args) &&
      onlyOptions(/^-(4|6|br|brief|s|stats|d|details|j|json|p|pretty|o|c|color|h|human)$/)(args) &&
      isIpReading(args.filter((arg) => !isOption(arg)))
  ],
  ['ifconfig', atMost(1, onlyOptions(/^-a$/))],
  ['iwconfig', atMost(1)],
  ['iw', (args) => args.every((arg) => /^(dev|phy|reg|list|info|link|get|survey|station|dump|[a-z]+\d+)$/.test(arg))],
  ['arp', onlyOptions(/^-[anev]+$/)],
  ['route', (args) => args.every((arg) => /^-[ne46]+$/.test(arg))],
  ['ethtool', (args) => args.length === 1 && !isOption(args[0] as string)],
  ['iptables', isTableReading],
  ['ip6tables', isTableReading],
  ['nft', withVerb(['list'])],
  [
    'systemctl',
    withVerb(
      [
        'status',
        'is-active',
        'is-enabled',
        'is-failed',
        'list-units',
        'list-unit-files',
        'list-timers',
        'list-sockets',
        'list-dependencies',
        'show',
        'cat',
        'get-default',
        'is-system-running'
      ],
      { orNone: true }
    )
  ],
  ['service', (args) => (args.length === 2 && args[1] === 'status') || args.join(' ') === '--status-all'],
  ['journalctl', without(/^--(vacuum|rotate|flush|sync|setup-keys|relinquish|smart|update-catalog|cursor-file)/)],
  [
    'loginctl',
    withVerb(['list-sessions', 'list-users', 'session-status', 'user-status', 'show-session', 'show-user'], {
      orNone: true
    })
  ],
  ['timedatectl', withVerb(['status', 'show', 'timesync-status', 'list-timezones'], { orNone: true })],
  ['hostnamectl', withVerb(['status'], { orNone: true })],
  ['hwclock', (args) => args.every((arg) => /^(-r|--show|--get|-u|--utc|-v|--verbose)$/.test(arg))],
  [
    'nmcli',
    (args) =>
      /^((general|device|dev|d)( status)?|(device|dev|connection|con|c|d) show( [\w-]+)?|(device|dev|d) wifi( list)?|connection|con|c|radio)?$/.test(
        args.join(' ')
      )
  ],
  [
    'mmcli',
    (args) =>
      args.every((arg) =>
        /^(-L|--list-modems|-m|--modem(=.*)?|-i|--sim(=.*)?|-b|--bearer(=.*)?|--signal-get|--location-get|--location-status|\d+|any)$/.test(
          arg
        )
      )
  ],
  ['rfkill', withVerb(['list'], { orNone: true })],
  [
    'sysctl',
    (args) =>
      args.length > 0 &&
      args.every((arg) => /^(-a|-n|-e|-A|--all|--values)$/.test(arg) || (/^[\w./-]+$/.test(arg) && !isOption(arg)))
  ],
  ['redis-cli', isRedisReading],
  ['valkey-cli', isRedisReading],
  ['opkg', withVerb(['list', 'list-installed', 'list-upgradable', 'info', 'status', 'files', 'search'])],
  [
    'dpkg',
    (args) =>
      /^-(l|L|s|S|p)$|^--(list|listfiles|status|search|print-avail|get-selections|print-architecture)$/.test(
        args[0] ?? ''
      )
  ],
  ['dpkg-query', always],
  ['apt', withVerb(['list', 'show', 'policy', 'search'])],
  ['apt-cache', withVerb(['show', 'policy', 'search', 'depends', 'showpkg'])],
  [
    'docker',
    withVerb(['ps', 'images', 'logs', 'inspect', 'version', 'info', 'top', 'stats', 'port', 'history', 'diff'])
  ],
  ['uci', withVerb(['show', 'get'])],
  ['fw_printenv', onlyOptions(/^-n$/)],
  ['getprop', always],
  ['crontab', (args) => args.join(' ') === '-l']
])

/** Short verbs are left out: `ip link s` means "set". */
function isIpReading([object, verb]: readonly string[]): boolean {
  if (object === undefined || !/^(a|addr|address|l|link|r|route|n|neigh|neighbour|rule|maddr|tunnel)$/.test(object))
    return false
  return verb === undefined || /^(show|list|ls|get)$/.test(verb)
}

function isTableReading(args: readonly string[]): boolean {
  return (
    args.some((arg) => /^(-\w*[LS]\w*|--list|--list-rules)$/.test(arg)) &&
    onlyOptions(/^(-[LSnvxt]+|--list|--list-rules|--numeric|--verbose|--exact|--line-numbers|--table)$/)(args)
  )
}

/** Options that choose the server have a value; everything after the command belongs to the command. */
function isRedisReading(args: readonly string[]): boolean {
  const rest = [...args]
  while (rest[0] !== undefined && isOption(rest[0])) {
    const option = rest.shift() as string
    if (/^-[hpnas]$/.test(option)) rest.shift()
    else if (!/^--(raw|no-raw|csv|json|no-auth-warning)$/.test(option)) return false
  }
  return rest[0] !== undefined && redisReads.includes(rest[0].toLowerCase())
}

const alwaysReading = new Set(readers)

/** True for a program on the list with arguments that only read. Everything else is not known to be harmless. */
export function isHarmless(program: string, args: readonly string[]): boolean {
  return alwaysReading.has(program) || (readersWith.get(program)?.(args) ?? false)
}
