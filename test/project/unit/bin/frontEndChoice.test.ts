import { expect, it } from 'vitest'
import { chooseFrontEnd, type Situation } from '../../../../bin/frontEndChoice.ts'

const usual: Situation = {
  wantsBrowser: false,
  hasDisplay: true,
  isRootOnLinux: false,
  electron: '/electron',
  reasonNotToFetch: undefined
}

it('opens the window where Electron and a display are there', () => {
  expect(chooseFrontEnd(usual)).toEqual({ kind: 'window', program: '/electron' })
})

it('fetches Electron first where it is missing and worth a try', () => {
  expect(chooseFrontEnd({ ...usual, electron: undefined })).toEqual({ kind: 'fetchFirst' })
})

it.each<[Partial<Situation>, RegExp]>([
  [{ wantsBrowser: true }, /as asked/],
  [{ hasDisplay: false }, /no display/],
  [{ hasDisplay: false, electron: undefined }, /no display/],
  [{ isRootOnLinux: true }, /as root/],
  [{ electron: undefined, reasonNotToFetch: 'it is not fetched in CI' }, /\(it is not fetched in CI\)/]
])('opens the browser, with the reason in one sentence, when %j', (difference, sentence) => {
  const choice = chooseFrontEnd({ ...usual, ...difference })
  expect(choice).toMatchObject({ kind: 'browser', sentence: expect.stringMatching(sentence) })
  expect(choice.kind === 'browser' && choice.sentence.match(/\.$/g)).toHaveLength(1)
})
