import { startPostgres } from './postgres/postgresServer.ts'

/** Starts a server, says where, and waits for its end. */
const { folder, owner } = await startPostgres()
process.stdout.write(`${JSON.stringify({ folder, owner })}\n`)
setInterval(() => undefined, 60_000)
