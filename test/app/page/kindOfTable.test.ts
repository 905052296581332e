import { expect, test } from 'vitest'
import { kindOfFile } from '../../../renderer/app/frame/drop/kindOfFile.ts'
import { listForms } from '../../world/gateway/listForms.ts'

const readable = listForms.filter(({ refused }) => refused === undefined)

test.each(readable.map((form) => [form.name, form] as const))(
  'a dropped list with %s is taken for a table',
  async (name, { bytes }) => {
    // UTF-16 without its mark could be any program’s data; the button of a screen opens it.
    expect(await kindOfFile(new Blob([Uint8Array.from(bytes)]))).toBe(
      name.includes('without a mark') ? 'unknown' : 'table'
    )
  }
)
