import { z } from 'zod'
import { defineCalls, isoTime, nothing } from '../define.ts'
import { messageSchema } from '../messageSchema.ts'

/** A copy of the job log that is kept: below the data folder, or on another disk. */
export const dataBackup = z.object({
  /** Its file name. */
  id: z.string(),
  place: z.enum(['here', 'elsewhere']),
  madeAt: isoTime,
  sizeBytes: z.number(),
  /** Null where it cannot be read. */
  jobs: z.number().nullable(),
  /** good: looked over after it was written. damaged: something was found in it then. */
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
  /** Files of pictures that no job names; null where there are none, or where not everything was looked over. */
  orphans: z.object({ files: z.number(), sizeBytes: z.number(), removableBytes: z.number() }).nullable()
})
export type DataCheckResult = z.infer<typeof dataCheck>

export const dataWork = z.object({
  kind: z.enum(['check', 'backUp', 'saveCopy', 'restore']),
  done: z.number(),
  /** 0 while nobody knows. */
  total: z.number()
})
export type DataWorkState = z.infer<typeof dataWork>

/** What is being done with the data, and how the last of it ended. */
export const dataProgress = z.object({ work: dataWork.nullable(), ended: z.object({ ok: z.boolean(), sentence: messageSchema }).nullable() })
export type DataProgress = z.infer<typeof dataProgress>

export const dataStatus = dataProgress.extend({
  folder: z.string(),
  jobs: z.number(),
  logBytes: z.number(),
  picturesBytes: z.number(),
  backupsBytes: z.number(),
  freeBytes: z.number(),
  /** Files that were put aside by a restore or before a new version, and damaged ones. */
  putAside: z.array(z.object({ name: z.string(), sizeBytes: z.number(), at: isoTime, mayRestore: z.boolean() })),
  backups: z.array(dataBackup),
  /** Why no copy was made when it was time; null while all is well. */
  problem: messageSchema.nullable(),
  /** Where copies are kept besides; null: only below the data folder. */
  elsewhere: z.object({ folder: z.string(), problem: messageSchema.nullable() }).nullable(),
  /** dialog: the system asks for files and folders. path: a person types them. */
  chosenBy: z.enum(['dialog', 'path']),
  lastCheck: dataCheck.nullable()
})
export type DataStatus = z.infer<typeof dataStatus>

/** What a person goes back to. */
export const dataSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('backup'), id: z.string().max(120), place: z.enum(['here', 'elsewhere']) }),
  z.strictObject({ kind: z.literal('putAside'), name: z.string().max(200) }),
  z.strictObject({ kind: z.literal('file'), path: z.string().trim().min(1).max(1_000) }),
  /** The one that was chosen in the system's dialog. */
  z.strictObject({ kind: z.literal('picked') })
])
export type DataSource = z.infer<typeof dataSource>

/** What a file holds, against what is worked with now. */
export const dataContent = z.object({
  from: dataSource,
  name: z.string(),
  /** Of when it is; null where it does not say. */
  madeAt: isoTime.nullable(),
  jobs: z.number(),
  jobsNow: z.number(),
  /** When something was last done in each; null: never. */
  newestAt: isoTime.nullable(),
  newestNowAt: isoTime.nullable(),
  openOperations: z.number()
})
export type DataContent = z.infer<typeof dataContent>

const path = z.strictObject({ path: z.string().trim().min(1).max(1_000).nullable().default(null) })

export const dataCalls = defineCalls({
  'data.status': { input: nothing, output: dataStatus },
  /** Looks everything over, beside the work; `data.changed` tells how far it is. */
  'data.check': { input: nothing, output: nothing },
  /** Stops what is being done with the data; a restore can be stopped until the file takes its place. */
  'data.stop': { input: nothing, output: nothing },
  'data.backUp': { input: nothing, output: nothing },
  /** One file with everything in it, pictures too. Without a path the system asks where. */
  'data.saveCopy': { input: path, output: nothing },
  /** Null when the person chose none in the system's dialog. */
  'data.pick': { input: nothing, output: dataContent.nullable() },
  'data.look': { input: z.strictObject({ from: dataSource }), output: dataContent },
  /** Checks the file, puts the present one aside, and opens the workplace again with it. */
  'data.restore': { input: z.strictObject({ from: dataSource }), output: nothing },
  'data.removeOrphans': { input: nothing, output: z.object({ files: z.number(), sizeBytes: z.number() }) },
  /** A folder on another disk. Without a path the system asks for it. */
  'data.choosePlace': { input: path, output: dataStatus },
  /** What is there stays there. */
  'data.forgetPlace': { input: nothing, output: dataStatus }
})

/** Something that was kept and is missing, and who has read that. */
export const lossRecord = z.object({ key: z.number(), foundAt: isoTime, message: messageSchema, readAt: isoTime.nullable(), readBy: z.string().nullable() })

/** A damaged file that was put aside in the data folder. Fitter never deletes one. */
export const putAside = z.object({ name: z.string(), sizeBytes: z.number(), at: isoTime })

export const lossesCalls = defineCalls({
  /** Everything that was ever found missing, newest first, and the damaged files that were put aside. */
  'losses.list': { input: nothing, output: z.object({ losses: z.array(lossRecord), putAside: z.array(putAside) }) },
  /** A person has read it: no notice any more. It stays in the list. */
  'losses.acknowledge': { input: z.strictObject({ key: z.number().int() }), output: nothing }
})
