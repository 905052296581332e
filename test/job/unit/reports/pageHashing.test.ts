import fc from 'fast-check'
import { expect, it } from 'vitest'
import { answerSignatures, isSignedWith, sha256Hex } from '../../../../main/job/reports/pageScript/hashing.ts'
import * as inNode from '../../../../main/data/store/jobs/hashing.ts'
import { readBase64 } from '../../../../main/data/store/jobs/strictBase64.ts'
import { makeSigner } from '../../../world/data/sealedJob.ts'

it('the page computes the same SHA-256 as Node, of any text and of bytes of any length', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.uint8Array({ maxLength: 300 })),
      (content) => sha256Hex(content) === inNode.sha256Hex(content)
    )
  )
  for (const length of [0, 55, 56, 63, 64, 65, 119, 120, 1_000_000])
    expect(sha256Hex(new Uint8Array(length).fill(length))).toBe(inNode.sha256Hex(new Uint8Array(length).fill(length)))
})

it('the page verifies the same signatures as Node, once it has been asked for them', async () => {
  const [own, other] = [makeSigner(), makeSigner()]
  const text = 'what is sealed'
  const { signature } = await own.sign(text)
  const cases = [
    [own.publicKey, text],
    [other.publicKey, text],
    [own.publicKey, `${text} `]
  ].map(([key, of]) => [readBase64(key!)!, of!, readBase64(signature!)!] as const)
  const inPage = () => cases.map((one) => isSignedWith(...one))
  expect(inPage()).toEqual([false, false, false])
  expect(await answerSignatures()).toBe(true)
  expect(inPage()).toEqual([true, false, false])
  expect(inPage()).toEqual(cases.map((one) => inNode.isSignedWith(...one)))
  expect(await answerSignatures()).toBe(false)
})

it('base64 has one spelling', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      const text = Buffer.from(bytes).toString('base64')
      expect(readBase64(text)).toEqual(Uint8Array.from(bytes))
      for (const other of [
        `${text} `,
        ` ${text}`,
        `${text}\n`,
        `${text}A`,
        text.replace(/=+$/, ''),
        `${text}Approved`,
        text.replace(/.(?==)/, (letter) => String.fromCharCode(letter.charCodeAt(0) + 1))
      ]) {
        if (other !== text) expect(readBase64(other)).not.toEqual(Uint8Array.from(bytes))
      }
    })
  )
})
