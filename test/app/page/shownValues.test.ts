import { beforeEach, expect, it } from 'vitest'
import { rowAt, valueAt, valuesAround } from '../../../renderer/app/frame/copy/shownValues.ts'

beforeEach(() => {
  document.body.innerHTML = `
    <main>
      <section id="facts"><h2>Supply</h2><dl>
        <dt>Battery <span class="hidden">internal</span></dt><dd id="volts">12.6 V<svg></svg><button>Raw</button></dd>
        <dt>Signal</dt><dd id="none">–</dd>
      </dl></section>
      <table><thead><tr><th>Fact</th><th>Device</th><th>Gateway</th></tr></thead>
        <tbody><tr><th>Speed</th><td id="speed"><b>42 km/h</b></td><td>41 km/h</td></tr></tbody></table>
      <p id="words">Only words</p><input id="field" class="value" value="x">
    </main>`
})

const at = (id: string) => document.getElementById(id) as Element

it('a value is its text with the unit, without what is hidden or pressed beside it, and its label', () => {
  expect(valueAt(at('volts'))).toEqual({ label: 'Battery', text: '12.6 V' })
  expect(valueAt(at('speed').firstElementChild)).toEqual({ label: 'Device', text: '42 km/h' })
})

it('an unknown value, words and a field are no value', () => {
  expect(['none', 'words', 'field'].map((id) => valueAt(at(id)))).toEqual([null, null, null])
  expect(valueAt(null)).toBeNull()
})

it('a row goes to a spreadsheet cell by cell', () => {
  expect(rowAt(at('speed'))).toBe('Speed\t42 km/h\t41 km/h')
  expect(rowAt(at('words'))).toBeNull()
})

it('the values around a focus are those of the nearest part that has some', () => {
  expect(valuesAround(at('facts').querySelector('h2') as Element).map(({ label, text }) => [label, text])).toEqual([
    ['Battery', '12.6 V']
  ])
  expect(valuesAround(at('words')).length).toBe(3)
})
