import type { ClientBase } from 'pg'
import { expect, it } from 'vitest'
import { inviteLaptop } from '../../../main/team/admin/members.ts'

it('an invitation over a connection that broke says why it broke, not that nothing could be taken back', async () => {
  const query = (sql: string): Promise<unknown> => {
    if (sql.startsWith('select id from fitter.team')) return Promise.resolve({ rows: [{ id: '1' }] })
    if (sql.startsWith('select from pg_roles')) return Promise.reject(new Error('Connection terminated'))
    if (sql === 'rollback') return Promise.reject(new Error('Client was closed'))
    return Promise.resolve({ rows: [], rowCount: 0 })
  }
  const inviting = inviteLaptop({ query } as unknown as ClientBase, { team: 'Team', name: 'Laptop', mayWrite: true })
  await expect(inviting).rejects.toThrow('Connection terminated')
})
