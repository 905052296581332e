import { z } from 'zod'
import { defineCalls, imeiDigits, nothing } from '../define.ts'

/** Faults that a trainer can cause: wiring and antenna first, then the device and its connection. */
export const trainingFaults = [
  'ignitionWireMissing',
  'pwrDropsWhileCranking',
  'shortOnOut1',
  'noFix',
  'chatter',
  'noSim',
  'notRegistered',
  'impostor',
  'hang',
  'slow',
  'serverError',
  'unauthorized'
] as const
const trainingFault = z.enum(trainingFaults)

export const trainingVehicle = z.object({
  imei: z.string(),
  key: z.enum(['off', 'on', 'crank']),
  engineOn: z.boolean(),
  speedKmh: z.number(),
  /** The chosen speed; the vehicle accelerates or brakes towards it. */
  chosenKmh: z.number(),
  supplyMv: z.number(),
  inputs: z.array(z.object({ line: z.string(), label: z.string(), on: z.boolean() })),
  powerCut: z.boolean(),
  gatewayOnline: z.boolean(),
  starterBlocked: z.boolean(),
  faults: z.array(z.object({ name: trainingFault, on: z.boolean() })),
  /** True while the simulated helper turns the key and presses the buttons. */
  helper: z.boolean()
})
export type TrainingVehicle = z.infer<typeof trainingVehicle>

export const trainingAct = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('key'), to: z.enum(['off', 'on', 'crank']) }),
  z.strictObject({ act: z.literal('input'), line: z.string().regex(/^IN[1-7]$/), on: z.boolean() }),
  z.strictObject({ act: z.literal('power'), cut: z.boolean() }),
  z.strictObject({ act: z.literal('gateway'), online: z.boolean() }),
  z.strictObject({ act: z.literal('speed'), kmh: z.number().min(0).max(130) }),
  z.strictObject({ act: z.literal('fault'), name: trainingFault, on: z.boolean() }),
  z.strictObject({ act: z.literal('helper'), on: z.boolean() }),
  z.strictObject({ act: z.literal('tapKey'), id: z.string().regex(/^[0-9A-Za-z]{16}$/) }),
  z.strictObject({ act: z.literal('tagSeen'), mac: z.string().regex(/^[0-9A-F]{12}$/) }),
  z.strictObject({ act: z.literal('event'), label: z.string().regex(/^[a-z0-9]{1,20}$/) })
])
export type TrainingAct = z.infer<typeof trainingAct>

export const trainingCalls = defineCalls({
  'training.vehicles': {
    input: nothing,
    output: z.object({
      vehicles: z.array(trainingVehicle),
      /** The logins of the simulator for the trainee; not secrets. */
      device: z.object({ user: z.string(), password: z.string() }),
      gateway: z.object({ url: z.string(), user: z.string(), password: z.string() })
    })
  },
  'training.act': { input: z.strictObject({ imei: imeiDigits, act: trainingAct }), output: nothing }
})
