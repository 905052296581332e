import { expect, it } from 'vitest'
import { refusalOf, teamError } from '../../../main/team/server/failures.ts'
import { migrations } from '../../../main/team/server/migrations/index.ts'

it('whatever the functions of the team log refuse with is known to the laptop, and nothing else is', () => {
  const written = new Set(migrations.flatMap(({ sql }) => sql.match(/\bFT\d{3}\b/g) ?? []))
  const known = Array.from({ length: 1000 }, (_, number) => `FT${String(number).padStart(3, '0')}`).filter(
    (code) => refusalOf({ code }) !== null
  )
  expect([...written].sort()).toEqual(known)
})

const host = 'host.example'
const ofHost = { host }

it.each<[state: string, code: string, sentence: string, values: object, retryable: boolean]>([
  ['FT001', 'NOT_PERMITTED', 'team.noRight', {}, false],
  ['FT002', 'CONFLICT', 'team.heldByOther', {}, false],
  ['FT003', 'SERVER_ERROR', 'team.failed', { host, state: 'FT003' }, false],
  ['FT007', 'NOT_FOUND', 'teamServer.noSuchLaptop', {}, false],
  ['FT008', 'CONFLICT', 'teamServer.withdrawn', {}, false],
  ['FT009', 'NOT_FOUND', 'teamServer.notThere', {}, false],
  ['FT010', 'NOT_PERMITTED', 'teamServer.dayFull', {}, true],
  ['FT011', 'CONFLICT', 'teamServer.dropped', {}, false],
  ['FT012', 'CONFLICT', 'teamForks.tooMuch', {}, false],
  ['FT014', 'NOT_PERMITTED', 'teamOffice.expired', {}, false],
  ['42501', 'NOT_PERMITTED', 'team.noRight', {}, false],
  ['28P01', 'NOT_AUTHENTICATED', 'team.wrongPassword', ofHost, false],
  ['28000', 'NOT_AUTHENTICATED', 'teamWay.notAdmitted', ofHost, false],
  ['3D000', 'NOT_FOUND', 'team.noDatabase', ofHost, false],
  ['3F000', 'NOT_FOUND', 'team.noSchema', ofHost, false],
  ['42P01', 'NOT_FOUND', 'team.noSchema', ofHost, false],
  ['42883', 'NOT_FOUND', 'team.noSchema', ofHost, false],
  ['42703', 'CONFLICT', 'teamWay.foreignSchema', ofHost, false],
  ['53100', 'SERVER_ERROR', 'team.serverFull', ofHost, true],
  ['53300', 'UNREACHABLE', 'team.tooMany', ofHost, true],
  ['53200', 'UNREACHABLE', 'teamServer.busy', ofHost, true],
  ['57014', 'TIMEOUT', 'team.late', ofHost, true],
  ['55P03', 'TIMEOUT', 'team.late', ofHost, true],
  ['25P03', 'TIMEOUT', 'team.late', ofHost, true],
  ['25P04', 'TIMEOUT', 'team.late', ofHost, true],
  ['40P01', 'TIMEOUT', 'team.late', ofHost, true],
  ['57P01', 'UNREACHABLE', 'team.notNow', ofHost, true],
  ['25006', 'UNREACHABLE', 'team.notNow', ofHost, true],
  ['25P01', 'UNREACHABLE', 'teamWay.poolerMode', ofHost, false],
  ['26000', 'UNREACHABLE', 'teamWay.poolerMode', ofHost, false],
  ['ECONNREFUSED', 'UNREACHABLE', 'team.away', ofHost, true],
  ['ETIMEDOUT', 'TIMEOUT', 'team.late', ofHost, true],
  ['22012', 'SERVER_ERROR', 'team.failed', { host, state: '22012' }, false],
  ['other', 'SERVER_ERROR', 'team.failed', { host, state: 'XX000' }, false]
])('the state %s is said as %s %s', (state, code, id, values, retryable) => {
  expect(teamError(Object.assign(new Error(), { code: state }), host)).toMatchObject({
    code,
    retryable,
    sentence: { id, values }
  })
})
