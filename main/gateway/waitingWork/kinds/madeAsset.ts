import { z } from 'zod'

export const madeAsset = z.object({ id: z.number(), text: z.string() })
