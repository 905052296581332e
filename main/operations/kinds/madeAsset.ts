import { z } from 'zod'

/** What the creation of an asset gives to the work that needs it. */
export const madeAsset = z.object({ id: z.number(), text: z.string() })
