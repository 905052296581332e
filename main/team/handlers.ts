import type { HandlersOf } from '../../preload/contract/index.ts'
import type { teamForkCalls } from '../../preload/contract/team/teamForks.ts'
import type { teamHoldingCalls } from '../../preload/contract/team/teamHolding.ts'
import { checkOrders, faultsTable } from './admin/officeOrders.ts'
import type { Office } from './admin/office.ts'
import type { TeamBackground } from './background.ts'
import { readJoinFile } from './server/joinFile.ts'
import type { Assignments } from './reading/assignments.ts'
import type { Earlier } from './reading/earlier.ts'
import type { TeamCopy } from './reading/localCopy.ts'
import type { TeamNewsReader } from './reading/news.ts'
import type { TeamReport } from './reading/report.ts'
import type { Team } from './team.ts'

export function createTeamHandlers({
  team,
  background,
  news,
  kept,
  assignments,
  earlier,
  report,
  office
}: {
  office: Office
  team: Team
  background: TeamBackground
  news: TeamNewsReader
  kept: TeamCopy
  assignments: Assignments
  earlier: Earlier
  report: TeamReport
}): Omit<HandlersOf<'team'>, keyof typeof teamHoldingCalls | keyof typeof teamForkCalls> {
  return {
    'team.status': () => background.work(),
    'team.join': async ({ text }, signal) => {
      await team.join(readJoinFile(text), signal)
      background.renew()
      news.renew()
      return background.work()
    },
    'team.leave': async (_input, signal) => {
      const left = await team.leave(signal)
      news.renew()
      return left
    },
    'team.watch': ({ viewer, isOn }) => news.watch(viewer, isOn),
    'team.counts': (request, signal) => team.counts(request, signal),
    'team.jobs': (request, signal) => kept.jobs(request, signal),
    'team.job': ({ id }, signal) => kept.open(id, signal),
    'team.pins': () => kept.pins(),
    'team.pin': (pin) => {
      const pins = kept.pin(pin)
      background.noticeArrivals()
      return pins
    },
    'team.unpin': (pin) => kept.unpin(pin),
    'team.picture': async ({ sha256 }, signal) => {
      const { mediaType, bytes } = await kept.picture(sha256, signal)
      return { mediaType, base64: bytes.toString('base64') }
    },
    'team.report': async (wish, signal) => {
      const { fileName, mediaType, content } = await report(wish, signal)
      return { fileName, mediaType, base64: Buffer.from(content).toString('base64') }
    },
    'team.prepare': (wanted, signal) => assignments.prepare(wanted, signal),
    'team.assigned': (wanted, signal) => assignments.list(wanted, signal),
    'team.earlier': (wanted, signal) => earlier.of(wanted, signal),
    'team.receivers': (_input, signal) => assignments.receivers(signal),
    'team.withdrawAssigned': ({ id }, signal) => assignments.withdraw(id, signal),
    'team.takeChecklist': ({ id }, signal) => assignments.takeChecklist(id, signal),
    'team.putAway': ({ id }) => assignments.putAway(id),
    'team.office': (_input, signal) => office.office(signal),
    'team.openOwner': (given, signal) => office.openOwner(given, signal),
    'team.closeOwner': () => office.closeOwner(),
    'team.invite': (wanted, signal) => office.invite(wanted, signal),
    'team.withdrawInvitation': async (wanted, signal) => void (await office.withdrawInvitation(wanted, signal)),
    'team.removeLaptop': (wanted, signal) => office.removeLaptop(wanted, signal),
    'team.kept': (_input, signal) => office.kept(signal),
    'team.dropBefore': (wanted, signal) => office.dropBefore(wanted, signal),
    'team.checkOrders': ({ base64, encoding }, signal) =>
      checkOrders(Buffer.from(base64, 'base64'), { team, signal, encoding }),
    'team.faultsTable': async ({ base64, encoding, faults }) => ({
      text: await faultsTable(Buffer.from(base64, 'base64'), faults, encoding)
    }),
    'team.push': async () => {
      await background.pushNow()
      return background.work()
    }
  }
}
