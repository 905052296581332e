import { readdirSync, readFileSync, existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectFolder } from '../../../../bin/build.ts'
import { fewBreaks, findRot, readTestSource, securityBreaks } from '../../../proof/security/breaks.ts'

describe('the breaks of the security proof', () => {
  it.each(securityBreaks.map((one) => ({ title: `${one.rule} (${one.file})`, one })))(
    '$title still fits the source and names a test',
    ({ one }) => {
      expect(
        findRot(one, readFileSync(join(projectFolder, one.file), 'utf8'), readTestSource(projectFolder, one))
      ).toBeUndefined()
    }
  )

  it('break at least sixty rules, each once, and have a short form', () => {
    const rules = securityBreaks.map(({ rule }) => rule)
    expect(rules.length).toBeGreaterThanOrEqual(60)
    expect(new Set(rules).size).toBe(rules.length)
    expect(fewBreaks.length).toBeGreaterThan(20)
  })

  it.each<[why: string, source: string, tests: string]>([
    ['occurs 0 times', 'something else', 'named'],
    ['occurs 2 times', 'kept kept', 'named'],
    ['no test is named', 'kept', 'other']
  ])('are noticed when they rot: %s', (why, source, tests) => {
    expect(
      findRot({ rule: '', file: '', from: 'kept', to: 'broken', caughtBy: ['', 'named'] }, source, tests)
    ).toContain(why)
  })
})

describe('docs/security.md', () => {
  const page = readFileSync(join(projectFolder, 'docs', 'security.md'), 'utf8')
  const files = new Set(
    readdirSync(join(projectFolder, 'test'), { recursive: true, encoding: 'utf8' }).map((path) => basename(path))
  )
  const folders = [...page.matchAll(/`(test\/[\w/]+\/)`/g)].map(([, path = '']) => path)

  it('names only tests that exist', () => {
    const named = [...page.matchAll(/`(?:test\/[\w/]+\/)?([\w-]+\.(?:test|spec)\.ts)`/g)].map(([, name = '']) => name)
    expect(named.length).toBeGreaterThan(30)
    expect(named.filter((name) => !files.has(name))).toEqual([])
    expect(folders.filter((path) => !existsSync(join(projectFolder, path)))).toEqual([])
  })

  it('names a test for each rule: every paragraph and every point up to the known limits', () => {
    const rules = page
      .slice(page.indexOf('\n## '), page.indexOf('## Known limits'))
      .split(/\n\n|\n(?=- |\d\. )/)
      .map((text) => text.trim())
      .filter((text) => text !== '' && !/^(##|Assumption:|\|)/.test(text) && !text.endsWith(':'))
    expect(rules.length).toBeGreaterThan(30)
    expect(
      rules.filter((text) => !/`[\w/-]*(\.(test|spec)\.ts|test\/[\w/]+\/)`/.test(text)).map((text) => text.slice(0, 80))
    ).toEqual([])
  })
})
