import { z } from 'zod'

/** The envelope of a page ("Conventions" 8). A plain list has no page numbers. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.looseObject({
    set: z.number().optional(),
    page: z.number().optional(),
    pages: z.number().optional(),
    total: z.number().optional(),
    data: z.array(item)
  })
}

export interface Page<Item> {
  set?: number | undefined
  page?: number | undefined
  pages?: number | undefined
  total?: number | undefined
  data: readonly Item[] | undefined
}
