import { createSecrets } from '../../../main/base/secrets/keychain.ts'
import { openStore } from '../../../main/data/store/index.ts'
import { inviteLaptop, makeTeam } from '../../../main/team/admin/members.ts'
import { raiseSchema } from '../../../main/team/server/schema.ts'
import { createTeam } from '../../../main/team/team.ts'
import { startPostgres } from './postgres/postgresServer.ts'

/**
 * Pushes a data folder to a team log of its own: the password of the laptop, and what `look` finds in the server's
 * folder after all was written.
 */
export async function pushedToServer<T>(
  dataFolder: string,
  look: (serverFolder: string) => T
): Promise<{ entries: number; password: string; seen: T }> {
  const server = await startPostgres()
  try {
    const owner = await server.connect()
    await raiseSchema(owner)
    await makeTeam(owner, 'North')
    const { login, password } = await inviteLaptop(owner, { team: 'North', name: 'Laptop 1', mayWrite: true })
    const store = openStore(dataFolder)
    const team = createTeam({ store, secrets: createSecrets({ inMemory: true }) })
    await team.join({
      team: 'North',
      name: 'Laptop 1',
      server: { host: '127.0.0.1', port: server.port, database: 'postgres', user: login, authority: null },
      password
    })
    const { entries } = await team.push(new AbortController().signal)
    store.close()
    await owner.query('checkpoint')
    await owner.end()
    return { entries, password, seen: look(server.data) }
  } finally {
    await server.remove()
  }
}
