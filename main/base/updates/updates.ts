import { renameSync } from 'node:fs'
import type { Notice } from '../../../preload/contract/app/app.ts'
import type { PolicyState } from '../../../preload/contract/app/policy.ts'
import { updateChannel, type UpdateReason, type UpdatesState } from '../../../preload/contract/app/updates.ts'
import type { HandlersOf } from '../../../preload/contract/index.ts'
import { AppError } from '../../../preload/contract/errors.ts'
import { message, type Message } from '../../../preload/contract/messages.ts'
import type { GatewayRoutes } from '../internet/routes.ts'
import { decide, feedFileName, type Installation } from './decide.ts'
import type { Feed, FeedFile, UpdateSource } from './feedForm.ts'
import type { FetchLimits } from './fetch.ts'
import { createPackages, isWhole } from './packages.ts'

/** How a platform installs a verified package. Its own signature (Windows, macOS) is checked by `prepare`. */
export interface Installer {
  /** The running program, where it is one file that is replaced as a whole (AppImage). */
  program?: string | undefined
  prepare(verified: { version: string; path: string; file: FeedFile }): Promise<void>
  /** Removes what was prepared outside of the folder of packages. */
  discard?(): void
  /** Starts installing what was prepared; Fitter ends right after it. */
  installNow(): Promise<void>
}

export interface UpdatesOptions {
  installed: string
  /** Packages and what is remembered about feeds. */
  folder: string
  source: UpdateSource
  policy: PolicyState
  platform: Pick<Installation, 'os' | 'arch'>
  /** Why this Fitter does not update itself. */
  notByItself: Message | null
  installer?: Installer | undefined
  /** What an update would interrupt now. */
  reasons(): UpdateReason[]
  connect: GatewayRoutes['connect']
  changed(): void
  reportFault(error: unknown): void
  limits?: FetchLimits | undefined
  now?: () => Date
}

/** How often the feed is read while Fitter runs, and how long after its start for the first time. */
const checkEveryMs = 6 * 3_600_000
const firstCheckMs = 20_000

interface Offer {
  feed: Feed
  file: FeedFile
}

export type Updates = ReturnType<typeof createUpdates>

/** New versions of Fitter: found, verified, downloaded when a person wants it, and installed when Fitter quits. */
export function createUpdates(options: UpdatesOptions) {
  const now = options.now ?? (() => new Date())
  const packages = createPackages(options.folder)
  const rules = readUpdatePolicy(options.policy)
  const channel = rules.channel ?? 'stable'
  const notByItself =
    options.notByItself ?? (rules.isOff ? message('updates.offByCompany') : missingSource(options.source, rules.feed))
  const ending = new AbortController()
  let asking = new AbortController()
  let offer: Offer | undefined
  let phase: UpdatesState['phase'] = 'idle'
  let problem: Message | null = null
  let receivedBytes = 0
  let isLater = false
  /** The last word of a person about the version that is prepared. */
  let wantsInstall = false
  let prepared: Offer | undefined
  let preparing: Promise<UpdatesState> | undefined
  let downloading: Promise<void> | undefined
  let checking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let toldReasons = ''

  function state(): UpdatesState {
    const { latest, checkedAt } = packages.remembered()
    const { feed, file } = offer ?? {}
    return {
      installed: options.installed,
      channel,
      notByItself,
      phase,
      offer:
        feed && file
          ? {
              version: feed.version,
              releasedAt: feed.releaseDate,
              signedBy: feed.signedBy,
              sizeBytes: file.size,
              news: feed.news
            }
          : null,
      latest,
      receivedBytes,
      checkedAt,
      problem,
      reasons: offer === undefined ? [] : options.reasons(),
      policy: rules.shown,
      previous: packages.before(options.installed)
    }
  }

  function move(next: UpdatesState['phase'], why: Message | null = null): void {
    phase = next
    problem = why
    options.changed()
  }

  function assertByItself(): void {
    if (notByItself !== null) throw new AppError('REFUSED', notByItself)
  }

  /** The sentence for a person. Anything unexpected goes to the fault log. */
  function sentenceOf(error: unknown): Message {
    if (error instanceof AppError && error.code !== 'INTERNAL') return error.sentence
    options.reportFault(error)
    return message('app.fault')
  }

  async function check(): Promise<void> {
    const before = phase
    if (before !== 'ready' && before !== 'installing') move('checking')
    try {
      // Loaded when a feed is read first: commands and most starts need none of it.
      const [{ readFeed }, { fetchFeed, feedFolder, fetchLimits }] = await Promise.all([
        import('./feed.ts'),
        import('./fetch.ts')
      ])
      const { lastSignedAt, stagingNumber } = packages.remembered()
      const url = new URL(feedFileName(channel, options.platform), feedFolder(rules.feed ?? options.source.feed))
      const bytes = await fetchFeed(url, {
        connect: options.connect,
        limits: options.limits ?? fetchLimits,
        signal: AbortSignal.any([ending.signal, asking.signal])
      })
      const feed = readFeed(bytes, {
        keys: options.source.keys,
        channel,
        lastSignedAt: lastSignedAt[channel],
        now: now()
      })
      const decision = decide(feed, {
        ...options.platform,
        version: options.installed,
        pin: rules.version,
        stagingNumber
      })
      packages.remember({
        lastSignedAt: { ...lastSignedAt, [channel]: feed.signedAt },
        checkedAt: now().toISOString(),
        latest: feed.version
      })
      offer = decision.kind === 'offer' ? { feed, file: decision.file } : undefined
      packages.keepOnly([options.installed, packages.before(options.installed)?.version, offer?.feed.version])
      const path = offer && packages.packageOf(offer.feed.version)
      const isReady = offer !== undefined && path !== undefined && (await isWhole(path, offer.file))
      if (isPrepared() && isSame(offer, prepared)) return move('installing')
      if (isPrepared()) discardPrepared()
      if (offer === undefined) move('current')
      else move(isReady ? 'ready' : 'available')
    } catch (error) {
      // An earlier offer was verified, and stays.
      const next = phase !== 'checking' ? phase : before === 'checking' ? 'available' : before
      move(offer === undefined ? 'idle' : next, sentenceOf(error))
    }
  }

  const isPrepared = (): boolean => phase === 'installing'

  function discardPrepared(): void {
    prepared = undefined
    options.installer?.discard?.()
  }

  /** Prepared, unless meanwhile a person wanted it later, the version is no longer offered, or Fitter quits. */
  async function installOffered(asked: Offer): Promise<UpdatesState> {
    await prepare(asked)
    if (!isSame(offer, asked) || !wantsInstall || ending.signal.aborted) {
      discardPrepared()
      if (!isSame(offer, asked)) throw new AppError('CONFLICT', message('updates.nothingOffered'))
      return state()
    }
    prepared = asked
    isLater = false
    move('installing')
    return state()
  }

  async function download({ feed, file }: Offer): Promise<void> {
    receivedBytes = 0
    move('downloading')
    let toldAtMs = 0
    try {
      const { fetchPackage, feedFolder, fetchLimits } = await import('./fetch.ts')
      const path = packages.pathFor(feed.version, file)
      await fetchPackage(new URL(file.url, feedFolder(rules.feed ?? options.source.feed)), {
        file,
        path: `${path}.part`,
        connect: options.connect,
        limits: options.limits ?? fetchLimits,
        signal: AbortSignal.any([ending.signal, asking.signal]),
        received(bytes) {
          receivedBytes = bytes
          if (performance.now() - toldAtMs < 500) return
          toldAtMs = performance.now()
          options.changed()
        }
      })
      renameSync(`${path}.part`, path)
      move('ready')
    } catch (error) {
      move('available', sentenceOf(error))
    }
  }

  async function prepare(asked: Offer): Promise<void> {
    const { feed, file } = asked
    const path = packages.packageOf(feed.version)
    // The file was on the disk since it was downloaded: it is read again.
    if (path === undefined || !(await isWhole(path, file))) {
      if (isSame(offer, asked)) {
        packages.keepOnly([options.installed, packages.before(options.installed)?.version])
        move('available')
      }
      throw new AppError('REFUSED', message('updates.refused.hash'))
    }
    if (options.installer?.program !== undefined)
      await packages.keepRunning(options.installed, options.installer.program)
    try {
      await options.installer?.prepare({ version: feed.version, path, file })
    } catch (error) {
      options.reportFault(error)
      throw new AppError('REFUSED', message('updates.refused.platform'), { cause: error })
    }
  }

  function runCheck(): Promise<void> {
    return (checking ??= check().finally(() => (checking = undefined)))
  }

  return {
    state,
    async check(): Promise<UpdatesState> {
      assertByItself()
      if (phase !== 'downloading') await runCheck()
      return state()
    },
    download(): UpdatesState {
      assertByItself()
      if (offer === undefined) throw new AppError('CONFLICT', message('updates.nothingOffered'))
      if (phase === 'available') downloading = download(offer).finally(() => (downloading = undefined))
      return state()
    },
    async install(): Promise<UpdatesState> {
      assertByItself()
      if (offer === undefined || phase !== 'ready') throw new AppError('CONFLICT', message('updates.nothingOffered'))
      const [reason] = options.reasons()
      if (reason) throw new AppError('CONFLICT', message('updates.blockedBy', { why: reason.title }))
      wantsInstall = true
      return (preparing ??= installOffered(offer).finally(() => (preparing = undefined)))
    },
    later(): UpdatesState {
      isLater = true
      wantsInstall = false
      if (isPrepared()) discardPrepared()
      move(isPrepared() ? 'ready' : phase)
      return state()
    },
    /** Call while the workplace is open: whether it may be installed when Fitter ends now. */
    mayInstall: (): boolean => phase === 'installing' && options.reasons().length === 0,
    /** Call after everything else ended. */
    async installNow(): Promise<void> {
      await options.installer?.installNow()
    },
    /** Something happened that may begin or end a reason. */
    reasonsChanged(): void {
      if (offer === undefined) return
      const reasons = JSON.stringify(options.reasons())
      if (reasons === toldReasons) return
      // Fitter asks again when nothing is in the way any more.
      if (reasons === '[]' && toldReasons !== '') isLater = false
      toldReasons = reasons
      options.changed()
    },
    notices(): Notice[] {
      if (offer === undefined || isLater) return []
      const { version } = offer.feed
      const text =
        phase === 'installing'
          ? message('updates.noticeInstalling', { version })
          : phase === 'ready'
            ? message('updates.noticeReady', { version })
            : message('updates.noticeAvailable', { version })
      return [
        {
          id: `update ${version} ${phase === 'ready' || phase === 'installing' ? phase : 'available'}`,
          level: 'info',
          text,
          opens: 'update'
        }
      ]
    },
    /** Ends requests that are under way; they can be made again. */
    interrupt(): void {
      asking.abort()
      asking = new AbortController()
    },
    /** From now on the feed is read every few hours. */
    start(): void {
      if (notByItself !== null || timer) return
      const again = (): void => {
        timer = setTimeout(again, checkEveryMs)
        if (phase !== 'downloading') void runCheck()
      }
      timer = setTimeout(again, firstCheckMs)
    },
    async stop(): Promise<void> {
      clearTimeout(timer)
      ending.abort()
      await Promise.allSettled([checking, downloading, preparing])
    }
  }
}

function isSame(one: Offer | undefined, other: Offer | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    one.feed.version === other.feed.version &&
    one.file.sha512 === other.file.sha512
  )
}

function missingSource({ feed, keys }: UpdateSource, ownFeed: string | undefined): Message | null {
  if (keys.length === 0) return message('updates.noKey')
  return feed === '' && ownFeed === undefined ? message('updates.noFeed') : null
}

/** The company's decisions about updates. Values that cannot be read were left out when the policy was read. */
function readUpdatePolicy({ file, contact, values }: PolicyState) {
  const own = values.filter(({ key }) => key.startsWith('updates.'))
  const text = (name: string): string | undefined =>
    own.flatMap(({ key, value }) => (key === `updates.${name}` && typeof value === 'string' ? [value] : []))[0]
  const [isOff, version, feed] = [text('mode') === 'off', text('version'), text('feed')]
  const channel = updateChannel.safeParse(text('channel')).data
  const lines = own.map(({ line }) => line)
  /** The same for a person; null when there is none. */
  const shown: UpdatesState['policy'] =
    own.length === 0
      ? null
      : {
          isOff,
          version: version ?? null,
          channel: channel ?? null,
          feed: feed ?? null,
          file,
          lines: { from: Math.min(...lines), to: Math.max(...lines) },
          contact
        }
  return { isOff, version, channel, feed, shown }
}

/** Commands and opened support bundles have no updates. */
export function createUpdateHandlers(updates: Updates | undefined): HandlersOf<'updates'> {
  function own(): Updates {
    if (updates === undefined) throw new AppError('INVALID_REQUEST', message('app.onlyInWindow'))
    return updates
  }
  return {
    'updates.get': () => own().state(),
    'updates.check': () => own().check(),
    'updates.download': () => own().download(),
    'updates.install': () => own().install(),
    'updates.later': () => own().later()
  }
}
