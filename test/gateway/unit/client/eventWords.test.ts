import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sayEvent } from '../../../../main/gateway/client/decoders/eventText.ts'
import { createTexts } from '../../../../main/base/messages/texts.ts'
import type { Fields } from '../../../../main/gateway/client/decoders/fields.ts'

const texts = {
  en: createTexts({ language: 'en', units: 'metric', timeZone: 'UTC' }),
  es: createTexts({ language: 'es', units: 'metric', timeZone: 'UTC' })
}
const labels = {
  ignon: { label: 'ignon', en: 'Ignition on:The ignition was turned on', es: 'Encendido:Se encendió el contacto' },
  onlyEnglish: { label: 'onlyEnglish', en: 'Door open', es: null },
  own: { label: 'own', en: 'own', es: 'own' }
}

function words(event: Fields, names?: ReadonlyMap<number, string>) {
  const { what, detail } = sayEvent(event, names ? { labels, names } : { labels })
  return (['en', 'es'] as const).map((language) =>
    [what, detail]
      .filter((part) => part !== null)
      .map((part) => texts[language].say(part))
      .join('; ')
  )
}

// Every event type that the gateway's document names.
test.each([
  [{ type: 10, valid_position: true, speed: 12.8 }, 'Position; driving, 46 km/h', 'Posición; en marcha, 46 km/h'],
  [{ type: 10, valid_position: true, speed: 0.2 }, 'Position; standing', 'Posición; parado'],
  [{ type: 10, valid_position: false, speed: 9 }, 'Position; no valid fix', 'Posición; sin posición válida'],
  [
    { type: 11, valid_position: true, speed: 20 },
    'Position and speed; driving, 72 km/h',
    'Posición y velocidad; en marcha, 72 km/h'
  ],
  [{ type: 12, metric: 2, metric_value: 88 }, 'Driving metric: maximum speed', 'Dato de conducción: velocidad máxima'],
  [{ type: 12, metric: 5 }, 'Driving metric', 'Dato de conducción'],
  [
    { type: 13, valid_position: true, speed: 0 },
    'Position; standing, buffered, sent late',
    'Posición; parado, guardado en el equipo, enviado tarde'
  ],
  [{ type: 20 }, 'Empty GPS event', 'Evento GPS vacío'],
  [{ type: 20, label: 'ignon' }, 'Ignition on; no GPS time', 'Encendido; sin hora del GPS'],
  [{ type: 100, label: 'keepalive' }, 'Keep-alive', 'Señal de vida'],
  [{ type: 110 }, 'Connection message', 'Mensaje de conexión'],
  [{ type: 111 }, 'Notice from the SIM’s operator', 'Aviso del operador de la SIM'],
  [{ type: 150 }, 'Message', 'Mensaje'],
  [{ type: 301 }, 'GPS event sent twice', 'Evento GPS enviado dos veces'],
  [{ type: 301, label: 'ignon' }, 'Ignition on; sent twice', 'Encendido; enviado dos veces']
])('an event of a documented type is said in words: %j', (event, english, spanish) => {
  expect(words(event)).toEqual([english, spanish])
})

test('a type that the document does not name is said with what is known', () => {
  expect(words({ type: 77 })).toEqual(['Event type 77', 'Evento de tipo 77'])
  expect(words({ type: 77, code: 5 })).toEqual(['Event type 77, code 5', 'Evento de tipo 77, código 5'])
  expect(words({ type: 77, label: 'zzz' })).toEqual(['Event “zzz”', 'Evento «zzz»'])
  expect(words({})).toEqual(['Event of unknown type', 'Evento de tipo desconocido'])
  expect(words({ code: 9 })[0]).toBe('Event of unknown type, code 9')
})

test('the words of a label come from the gateway in each language, then from its document, then it is named as it is', () => {
  expect(words({ type: 11, label: 'ignon', valid_position: true, speed: 0 })).toEqual(['Ignition on', 'Encendido'])
  expect(words({ type: 10, label: 'onlyEnglish' })).toEqual(['Door open', 'Door open'])
  expect(words({ type: 10, label: 'adaspddng' })).toEqual([
    'Driver assistance: pedestrian in danger zone',
    'Asistencia al conductor: peatón en la zona de peligro'
  ])
  expect(words({ type: 10, label: 'own' })[0]).toBe('Event “own”')
  expect(words({ type: 10, label: 'toString' })[0]).toBe('Event “toString”')
})

test('an accessory, a photo and the asset that was with the vehicle are said after what happened', () => {
  expect(words({ type: 10, label: 'ignon', btt_mac: 'A1B2C3D4E5F6', btt_wreason: 'M' })[0]).toBe('Ignition on; motion')
  expect(words({ type: 10, label: 'ignon', dphoto_ptr: 4, aid: 31 }, new Map([[31, 'Driver 03']]))[0]).toBe(
    'Ignition on; with a photo, with Driver 03'
  )
  expect(words({ type: 10, label: 'ignon', aid: 32 }, new Map([[31, 'Driver 03']]))[0]).toBe('Ignition on')
})

test('an event says when it happened, when it arrived and how long it was under way', () => {
  const late = sayEvent(
    { type: 13, event_epoch: 1_700_000_000, system_epoch: 1_700_001_732, comdelay: 1_732 },
    { labels }
  )
  expect(late).toMatchObject({
    happenedAt: '2023-11-14T22:13:20.000Z',
    arrivedAt: '2023-11-14T22:42:12.000Z',
    delayS: 1_732
  })
  const counted = sayEvent(
    { type: 10, event_time: '2023-11-14T22:13:20', system_time: '2023-11-14T22:13:24.250000' },
    { labels }
  )
  expect(counted).toMatchObject({ happenedAt: '2023-11-14T22:13:20.000Z', delayS: 4 })
  const noClock = sayEvent({ type: 20, event_epoch: 0, system_epoch: 1_700_001_732 }, { labels })
  expect(noClock).toMatchObject({ happenedAt: null, arrivedAt: '2023-11-14T22:42:12.000Z', delayS: null })
})

test('a speed in an unknown unit is not said', () => {
  expect(sayEvent({ type: 11, valid_position: true, speed: 46 }, { labels, kmhPer: null }).detail).toBeNull()
})

test('whatever stands in an event, it is said in both languages', () => {
  const anything = fc.dictionary(
    fc.constantFrom(
      'type',
      'label',
      'code',
      'speed',
      'valid_position',
      'metric',
      'aid',
      'event_epoch',
      'system_time',
      'btt_mac',
      'btt_wreason'
    ),
    fc.anything()
  )
  fc.assert(
    fc.property(anything, (event) => {
      expect(words(event as Fields).every((text) => text.length > 0)).toBe(true)
    })
  )
})
