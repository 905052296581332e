import { message } from '../../preload/contract/messages.ts'
import type { AsideLog } from '../../preload/contract/teamForks.ts'
import { verifyChain } from '../store/seal.ts'
import { checkSeals } from '../store/signature.ts'
import type { TeamForkStore } from '../store/teamForks.ts'
import { sayEntry } from './forks.ts'
import { sayFault } from './openJob.ts'

/** So many entries of each are shown; all of them are kept. */
const mostShown = 500

/** What was set aside here of a job, oldest first, each whole log held against its hashes and seals. */
export function readAsides({ teamForks }: { teamForks: TeamForkStore }, jobId: string): AsideLog[] {
  return teamForks.asides(jobId).map(({ number, seq, at, reason, holder }) => {
    const entries = teamForks.entries(jobId, number)
    const own = entries.filter((entry) => entry.seq >= seq)
    const chain = verifyChain(jobId, entries)
    const sealFaults = chain.ok ? checkSeals(jobId, entries).faults.map(sayFault) : [message('damage.jobBroken', { entry: chain.at })]
    return { number, seq, at, reason, holder, entries: own.slice(0, mostShown).map(sayEntry), more: Math.max(0, own.length - mostShown), sealFaults }
  })
}
