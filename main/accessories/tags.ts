import type { TagReading } from '../../preload/contract/gateway/accessories.ts'
import { AppError } from '../../preload/contract/errors.ts'

export interface NamedTag extends TagReading {
  /** Null when the gateway does not show it. */
  assetName: string | null
}

/** Tags with the names of their assets. Each asset is requested once. */
export async function nameAssets(tags: readonly TagReading[], nameOf: (assetId: number) => Promise<string | null>): Promise<NamedTag[]> {
  const ids = new Set(tags.flatMap(({ assetId }) => assetId ?? []))
  const names = new Map(await Promise.all([...ids].map(async (id) => [id, await orHidden(nameOf(id))] as const)))
  return tags.map((tag) => ({ ...tag, assetName: tag.assetId === null ? null : (names.get(tag.assetId) ?? null) }))
}

/** The reading is useful without the name, so an unreadable name hides nothing else. */
async function orHidden(name: Promise<string | null>): Promise<string | null> {
  try {
    return await name
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
    return null
  }
}
