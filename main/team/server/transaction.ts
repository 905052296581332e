import type { ClientBase } from 'pg'

/** Everything that the work writes, or nothing of it. */
export async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // A broken connection has nothing to roll back; report why it broke.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}
