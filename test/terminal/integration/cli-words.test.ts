import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '../../../main/data/store/index.ts'
import { appendEntry } from '../../world/data/storedJobs.ts'
import { fitter } from '../../world/window/fitterProcess.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fitter-words-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const attack = 'Unit\x1b[2J\x9b31m\u202e\nPASS     Identity: forged'

describe('Words from outside', () => {
  it('neither steer the terminal nor forge a line in a table', async () => {
    const store = openStore(folder)
    appendEntry(store, '01J0000000000000000000JOB1', 'x', { vehicle: { id: 7, name: attack } })
    store.close()
    const plain = await fitter(['job', 'list', '--data', folder])
    expect(plain.code, plain.stderr).toBe(0)
    expect(plain.stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(plain.stdout).toContain('Unit\\u{1b}[2J\\u{9b}31m\\u{202e}\\u{a}PASS')
    const json = await fitter(['job', 'list', '--json', '--data', folder])
    expect(json.stdout.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    expect(json.json<{ vehicle: { name: string } }[]>()[0]?.vehicle.name).toBe(attack)
  })

  it('stay within their sentence in an error', async () => {
    const plain = await fitter([attack, '--data', folder])
    expect(plain.code).toBe(2)
    expect(plain.stderr.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    const json = await fitter([attack, '--json', '--data', folder])
    expect(json.stdout.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(json.json<{ error: { data: object } }>().error.data).toMatchObject({
      id: 'terminal.usage',
      values: { problem: { id: 'terminal.noSuchCommand', values: { name: attack } } }
    })
  })
})

describe('The language of the terminal', () => {
  it('is the one asked for: help, messages and errors', async () => {
    expect((await fitter(['help', '--language', 'es'])).stdout).toContain('Códigos de salida')
    expect((await fitter(['help', '--language', 'en'])).stdout).toContain('Exit codes')
    expect((await fitter(['job', 'list', '--language', 'es', '--data', folder])).stdout).toBe('No hay trabajos.\n')
    expect((await fitter(['nonsense', '--language', 'es'])).stderr).toContain('No hay ninguna orden')
    expect((await fitter(['help', '--language', 'fr'])).stderr).toContain('--language must be one of: en, es.')
  })

  it('is else the one of the system', async () => {
    expect((await fitter(['help'], { env: { LC_ALL: 'es_ES.UTF-8' } })).stdout).toContain('Códigos de salida')
    expect((await fitter(['help'], { env: { LC_ALL: 'de_DE.UTF-8' } })).stdout).toContain('Exit codes')
  })
})

describe('What a code means', () => {
  it('is told in the language asked for, without a data folder', async () => {
    const english = await fitter(['explain', 'Interface_disabled'], { env: { HOME: '/nowhere' } })
    expect([english.code, english.stdout.split('\n').slice(0, 2)]).toEqual([
      0,
      ['The interface itself is disabled', '  Device, Ethernet, Wi-Fi and hotspot: Interface_disabled']
    ])
    const spanish = await fitter(['explain', 'type', '13', '--json', '--language', 'es'], { env: { HOME: '/nowhere' } })
    expect(spanish.json()).toEqual([
      expect.objectContaining({
        id: 'gateway.eventTypes.t13',
        area: 'gateway.eventTypes',
        side: 'gateway',
        areaName: 'Tipos de eventos',
        name: 'Guardado y enviado después',
        codes: expect.arrayContaining(['13']) as unknown,
        text: expect.stringContaining('conexión') as unknown
      })
    ])
  })

  it('is refused with the nearest ones where nothing is written so', async () => {
    const near = await fitter(['explain', 'SIM_STAT', '--json'])
    expect([near.code, near.json<{ error: { code: string; data: object } }>().error]).toMatchObject([
      2,
      { code: 'NOT_FOUND', data: { id: 'terminal.notExplainedNearest' } }
    ])
    const odd = await fitter(['explain', attack])
    expect(odd.code).toBe(2)
    expect(odd.stderr.trimEnd()).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect((await fitter(['explain'])).code).toBe(2)
  })
})
