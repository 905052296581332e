import type { Store } from '../data/store/index.ts'
import { createTeam, type Team } from '../team/team.ts'
import type { CommandContext } from './context.ts'
import { takeTeamPassword } from './input/environmentCredentials.ts'
import { withStore } from './openedFolder.ts'

/** This laptop in the team log, over the file alone: an unreadable job here must not stop the command. */
export async function withTeam<T>(
  context: CommandContext,
  work: (team: Team, store: Store) => T | Promise<T>
): Promise<T> {
  const { secrets, redactor } = await context.connections()
  const policy = await context.companyPolicy()
  const refuseTeamServer = policy && (await import('../app/policy/policy.ts')).refuseTeamServer
  return withStore(context, (store) =>
    work(
      createTeam({
        store,
        secrets,
        given: takeTeamPassword(),
        onSecret: (password) => redactor.add(password),
        refuseServer: (host) => policy && refuseTeamServer?.(policy, host)
      }),
      store
    )
  )
}
