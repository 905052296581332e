import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../base/messageSchema.ts'

export const dataBackup = z.object({
  id: z.string(),
  place: z.enum(['here', 'elsewhere']),
  madeAt: isoTime,
  sizeBytes: z.number(),
  /** Null when it cannot be read. */
  jobs: z.number().nullable(),
  /** good: checked after it was written. damaged: a problem was found then. */
  state: z.enum(['good', 'damaged', 'unreadable'])
})
export type DataBackup = z.infer<typeof dataBackup>

export const dataCheck = z.object({
  at: isoTime,
  /** False: only the newest jobs were read. */
  isWhole: z.boolean(),
  ok: z.boolean(),
  jobs: z.number(),
  findings: z.array(messageSchema),
  /** Picture files that no job names; null when there are none or not everything was checked. */
  orphans: z.object({ files: z.number(), sizeBytes: z.number(), removableBytes: z.number() }).nullable()
})
export type DataCheckResult = z.infer<typeof dataCheck>

export const dataWork = z.object({
  kind: z.enum(['check', 'backUp', 'saveCopy', 'restore']),
  done: z.number(),
  /** 0 when unknown. */
  total: z.number()
})
export type DataWorkState = z.infer<typeof dataWork>

export const dataProgress = z.object({
  work: dataWork.nullable(),
  ended: z.object({ ok: z.boolean(), sentence: messageSchema }).nullable()
})
export type DataProgress = z.infer<typeof dataProgress>

export const dataStatus = dataProgress.extend({
  folder: z.string(),
  jobs: z.number(),
  logBytes: z.number(),
  picturesBytes: z.number(),
  backupsBytes: z.number(),
  freeBytes: z.number(),
  /** Files that were set aside by a restore or before a new version, and damaged ones. */
  putAside: z.array(z.object({ name: z.string(), sizeBytes: z.number(), at: isoTime, mayRestore: z.boolean() })),
  backups: z.array(dataBackup),
  /** Why no backup was made when one was due; null while all is well. */
  problem: messageSchema.nullable(),
  /** An additional folder for backups; null: only below the data folder. */
  elsewhere: z.object({ folder: z.string(), problem: messageSchema.nullable() }).nullable(),
  /** dialog: the system asks for files and folders. path: a person types them. */
  chosenBy: z.enum(['dialog', 'path']),
  lastCheck: dataCheck.nullable()
})
export type DataStatus = z.infer<typeof dataStatus>

export const dataSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('backup'), id: z.string().max(120), place: z.enum(['here', 'elsewhere']) }),
  z.strictObject({ kind: z.literal('putAside'), name: z.string().max(200) }),
  z.strictObject({ kind: z.literal('file'), path: z.string().trim().min(1).max(1_000) }),
  /** The file that was chosen in the system's dialog. */
  z.strictObject({ kind: z.literal('picked') })
])
export type DataSource = z.infer<typeof dataSource>

export const dataContent = z.object({
  from: dataSource,
  name: z.string(),
  /** The date of the data; null when the file does not contain it. */
  madeAt: isoTime.nullable(),
  jobs: z.number(),
  jobsNow: z.number(),
  /** The last change in each; null: never. */
  newestAt: isoTime.nullable(),
  newestNowAt: isoTime.nullable(),
  openOperations: z.number()
})
export type DataContent = z.infer<typeof dataContent>

const path = z.strictObject({ path: z.string().trim().min(1).max(1_000).nullable().default(null) })

export const dataCalls = defineCalls({
  'data.status': { input: nothing, output: dataStatus },
  /** Checks all data in the background; `data.changed` reports the progress. */
  'data.check': { input: nothing, output: nothing },
  /** Stops the running task; a restore can be stopped until the file is in its place. */
  'data.stop': { input: nothing, output: nothing },
  'data.backUp': { input: nothing, output: nothing },
  /** Writes one file with everything, including pictures. Without a path the system asks where. */
  'data.saveCopy': { input: path, output: nothing },
  /** Null when the person cancelled the system's dialog. */
  'data.pick': { input: nothing, output: dataContent.nullable() },
  'data.look': { input: z.strictObject({ from: dataSource }), output: dataContent },
  /** Checks the file, sets the present one aside, and opens the workplace again with the new one. */
  'data.restore': { input: z.strictObject({ from: dataSource }), output: nothing },
  'data.removeOrphans': { input: nothing, output: z.object({ files: z.number(), sizeBytes: z.number() }) },
  /** A folder on another disk. Without a path the system asks for it. */
  'data.choosePlace': { input: path, output: dataStatus },
  /** Existing backups there stay. */
  'data.forgetPlace': { input: nothing, output: dataStatus }
})

export const lossRecord = z.object({
  key: z.number(),
  foundAt: isoTime,
  message: messageSchema,
  readAt: isoTime.nullable(),
  readBy: z.string().nullable()
})

/** A damaged file that was set aside in the data folder. Fitter never deletes one. */
export const putAside = z.object({ name: z.string(), sizeBytes: z.number(), at: isoTime })

export const lossesCalls = defineCalls({
  /** All losses ever found, newest first, and the damaged files that were set aside. */
  'losses.list': { input: nothing, output: z.object({ losses: z.array(lossRecord), putAside: z.array(putAside) }) },
  /** A person has read the notice: it disappears and stays in the list. */
  'losses.acknowledge': { input: z.strictObject({ key: z.number().int() }), output: nothing }
})
