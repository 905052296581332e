import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'
import { tableEncoding, tableReading } from '../job/tables.ts'
import { order, orderFinding } from '../job/orders.ts'

const laptopName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}*$/u)
const teamRole = z.enum(['lead', 'writer', 'reader'])

export const teamMember = z.object({
  name: z.string(),
  isMe: z.boolean(),
  role: teamRole,
  /** Of the latest job that it holds; empty when it holds none. */
  technician: z.string(),
  /** When its work last reached the team log; null before its first push. */
  pushedAt: isoTime.nullable(),
  jobs: z.number()
})
export type TeamMember = z.infer<typeof teamMember>

/** A login with which no laptop has joined yet. */
export const openInvitation = z.object({ name: z.string(), role: teamRole, at: isoTime, expiresAt: isoTime.nullable() })

/** The owner of the team log for this session: only in the memory of the core. */
export const teamOwner = z.object({ host: z.string(), user: z.string() })

export const dropped = z.object({
  jobs: z.number(),
  entries: z.number(),
  contents: z.number(),
  freedBytes: z.number(),
  heldByLaw: z.number(),
  stillUsed: z.number()
})

const lastDrop = z.object({ at: isoTime, month: z.string(), by: z.string() })

export const officeOrder = z.object({
  /** Under which it is prepared. The same order has the same id, so that sending it again creates nothing. */
  id: z.string(),
  lines: z.array(z.number()).min(1),
  device: z.string(),
  /** As written in the file: an id or a name. */
  template: z.string(),
  vehicle: z.string(),
  customer: z.string(),
  notes: z.string(),
  /** As written in the file: a laptop, or the technician of one. */
  to: z.string(),
  /** `2026-11-24T08:00`, with an offset if the file has one; empty for none. */
  due: z.string(),
  /** Null when it has an error. */
  order: order.nullable(),
  errors: z.array(messageSchema),
  /** An open or a prepared job for its vehicle or device, by someone. */
  open: z.object({ isStarted: z.boolean(), by: z.string() }).nullable(),
  sent: z.object({ at: isoTime, by: z.string(), to: z.string() }).nullable()
})
export type OfficeOrder = z.infer<typeof officeOrder>

const table = z.base64().max(1_500_000)

export const teamOfficeCalls = defineCalls({
  /** Who is in the team, and what this login may do. `address`: where the owner would sign in, without a password. */
  'team.office': {
    input: nothing,
    output: z.object({
      team: z.string(),
      members: z.array(teamMember),
      invitations: z.array(openInvitation),
      owner: teamOwner.nullable(),
      address: z.string()
    })
  },
  /** Signs the owner in for this session. Throws NOT_PERMITTED for any other login, CONFLICT for another team log. */
  'team.openOwner': {
    input: z.strictObject({
      address: z.string().trim().min(1).max(2_000),
      password: z.string().max(1_000).default('')
    }),
    output: teamOwner
  },
  'team.closeOwner': { input: nothing, output: nothing },
  /** Creates a login for a laptop, as the owner. It expires when no laptop joins with it in time. */
  'team.invite': {
    input: z.strictObject({ name: laptopName, role: teamRole.default('writer') }),
    output: z.object({
      name: z.string(),
      fileName: z.string(),
      text: z.string(),
      /** Its text as a QR code, as the path of an SVG picture; null when it is too long for one. */ code: z
        .object({ size: z.number(), path: z.string() })
        .nullable(),
      expiresAt: isoTime,
      /** The host when only this computer can reach it. */ onlyHere: z.string().nullable()
    })
  },
  /** Throws CONFLICT when a laptop has joined with it. */
  'team.withdrawInvitation': { input: z.strictObject({ name: laptopName }), output: nothing },
  /** Closes the login of a laptop, as the owner; `jobs`: that it holds. */
  'team.removeLaptop': { input: z.strictObject({ name: laptopName }), output: z.object({ jobs: z.number() }) },
  /** What the team log keeps of this team, and since when, as the owner. */
  'team.kept': {
    input: nothing,
    output: z.object({
      jobs: z.number(),
      /** The month of the oldest job, as `2024-01`; null without jobs. */
      since: z.string().nullable(),
      photos: z.number(),
      photoBytes: z.number(),
      /** The last time that jobs were dropped: those before this month. */
      last: lastDrop.nullable(),
      /** The month of the oldest job with photos, and the last time that photos alone were dropped. */
      photosSince: z.string().nullable(),
      lastPhotos: lastDrop.nullable()
    })
  },
  /**
   * Drops the jobs of this team that first arrived before a month and got nothing since, as the owner; `isTrial` only
   * counts. With `photosOnly` their photos, unless another job names them; the jobs stay.
   */
  'team.dropBefore': {
    input: z.strictObject({
      month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/),
      isTrial: z.boolean(),
      photosOnly: z.boolean().default(false)
    }),
    output: dropped
  },
  /** Reads a table of orders and asks the team log about each. Creates nothing. */
  'team.checkOrders': {
    input: z.strictObject({ base64: table, encoding: tableEncoding.optional() }),
    output: z.object({ orders: z.array(officeOrder), findings: z.array(orderFinding), reading: tableReading })
  },
  /** These lines of a table, each with its problem in one more column, as a table. */
  'team.faultsTable': {
    input: z.strictObject({
      base64: table,
      encoding: tableEncoding.optional(),
      faults: z.array(z.strictObject({ lines: z.array(z.number()), problem: z.string().max(1_000) })).max(20_000)
    }),
    output: z.object({ text: z.string() })
  }
})
