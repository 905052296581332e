import { expect, test } from 'vitest'
import table from '../../../../resources/endpoints.json' with { type: 'json' }
import { endpoints } from '../../../../simulator/gateway/endpoints.ts'
import { createRouter } from '../../../../simulator/gateway/router.ts'

const route = createRouter(endpoints)

test.each(table.gateway.map((listed) => [listed.id, listed] as const))(
  '%s has a handler and its path leads to it',
  (id, listed) => {
    expect(endpoints.filter((endpoint) => endpoint.id === id)).toHaveLength(1)
    const path = listed.path.replace(/:(\w+)/g, '7')
    const isKeys = id === 'rawdata.keys' || id === 'counters.describe'
    const match = route(listed.method, path, new URLSearchParams(isKeys ? '' : 'duration=PT1H'))
    expect(match).toMatchObject({ listed: { id } })
  }
)

test('no handler answers what the table does not list', () => {
  const listed = new Set(table.gateway.map(({ id }) => id))
  expect(endpoints.filter(({ id }) => !listed.has(id))).toEqual([])
})

test('a path with another method is told apart from an unknown path', () => {
  expect(route('PATCH', '/user', new URLSearchParams())).toBe('method')
  expect(route('GET', '/nowhere', new URLSearchParams())).toBeUndefined()
})
