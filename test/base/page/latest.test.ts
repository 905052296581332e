import { flushPromises, mount } from '@vue/test-utils'
import { describe, expect, it } from 'vitest'
import { ref } from 'vue'
import { useLatest, useReading } from '../../../renderer/base/ui/useAction.ts'

interface Asked {
  answer: (text: string) => void
  fail: (why: unknown) => void
}

function ask() {
  const asked: Asked[] = []
  const shown: string[] = []
  const latest = useLatest(
    () => new Promise<string>((answer, fail) => asked.push({ answer, fail })),
    (text) => shown.push(text)
  )
  return { ...latest, asked, shown }
}

describe('a question that may be asked again before it is answered', () => {
  it('shows only the answer to the last request, in whatever order they come', async () => {
    const { run, asked, shown, busy } = ask()
    const both = [run(), run()]
    asked[1]?.answer('second')
    await both[1]
    expect(busy.value).toBe(false)
    asked[0]?.answer('first')
    await both[0]
    expect(shown).toEqual(['second'])
  })

  it('says why the last request failed, and nothing of an earlier one', async () => {
    const { run, asked, error, busy } = ask()
    const both = [run(), run()]
    asked[0]?.fail(new Error('first'))
    await both[0]
    expect([error.value, busy.value]).toEqual([null, true])
    asked[1]?.fail('second')
    await both[1]
    expect([error.value?.message, busy.value]).toEqual(['second', false])
    const again = run()
    expect(error.value).toBeNull()
    asked[2]?.answer('third')
    await again
  })

  it('forgets what is still asked for', async () => {
    const { run, drop, asked, shown, busy } = ask()
    const one = run()
    drop()
    expect(busy.value).toBe(false)
    asked[0]?.answer('late')
    await one
    expect(shown).toEqual([])
  })
})

function read() {
  const asked: (Asked & { about: string })[] = []
  const shown: string[] = []
  const about = ref('first')
  let reading!: ReturnType<typeof useReading>
  const screen = mount({
    setup() {
      reading = useReading(
        async (isLast) => {
          const text = await new Promise<string>((answer, fail) => asked.push({ about: about.value, answer, fail }))
          if (isLast()) shown.push(text)
        },
        about,
        () => (shown.length = 0)
      )
      return () => null
    }
  })
  return { asked, shown, about, screen, ...reading }
}

describe('what a screen reads', () => {
  it('is read once more when it was asked about something else meanwhile, and the earlier answer is not taken', async () => {
    const { asked, shown, about, busy } = read()
    for (const next of ['second', 'third']) {
      about.value = next
      await flushPromises()
    }
    asked[0]?.answer('of the first')
    await flushPromises()
    expect([asked.map((one) => one.about), shown, busy.value]).toEqual([['first', 'third'], [], true])
    asked[1]?.answer('of the third')
    await flushPromises()
    expect([asked.length, shown, busy.value]).toEqual([2, ['of the third'], false])
  })

  it('is taken from the screen as soon as it is about something else', async () => {
    const { asked, shown, about } = read()
    asked[0]?.answer('of the first')
    await flushPromises()
    expect(shown).toEqual(['of the first'])
    about.value = 'second'
    await flushPromises()
    expect([asked.length, shown]).toEqual([2, []])
  })

  it('says only why the last reading failed; who waits for it waits for that one', async () => {
    const { asked, about, error, run } = read()
    about.value = 'second'
    await flushPromises()
    const ended = run()
    asked[0]?.fail(new Error('first'))
    await flushPromises()
    expect(error.value).toBeNull()
    asked[1]?.fail(new Error('second'))
    expect(await ended).toBe(false)
    expect([asked.length, error.value?.message]).toEqual([2, 'second'])
  })

  it('is not read again for a screen that was left', async () => {
    const { asked, about, screen } = read()
    about.value = 'second'
    await flushPromises()
    screen.unmount()
    asked[0]?.answer('of the first')
    await flushPromises()
    expect(asked).toHaveLength(1)
  })
})
