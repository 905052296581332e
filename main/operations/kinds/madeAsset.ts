import { z } from 'zod'

/** The result of creating an asset, for dependent work. */
export const madeAsset = z.object({ id: z.number(), text: z.string() })
