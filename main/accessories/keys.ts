import { AppError } from '../../preload/contract/errors.ts'
import type { CallOutput } from '../../preload/contract/index.ts'
import type { GatewayClient } from '../gateway/client.ts'

/** Keys with the names of their owners; null when the gateway does not show them. */
export async function listKeys(client: () => Promise<GatewayClient>, signal: AbortSignal): Promise<CallOutput<'accessories.keys'>> {
  const site = await client()
  const { value, problems, readAt } = await site.ibuttons.list({}, { signal, priority: 'person' })
  const names = new Map<number, string>()
  try {
    const assets = await site.assets.list({ select: ['id', 'name'], set: 1_000 }, { signal, priority: 'person' })
    for (const { id, name } of assets.value.data ?? []) if (id !== undefined && name !== undefined) names.set(id, name)
  } catch (error) {
    // The document only implies the list of assets: without it the keys show the asset's number.
    if (!(error instanceof AppError) || error.code === 'CANCELLED') throw error
  }
  const keys = (value.data ?? []).flatMap((key) => {
    const assetId = key.entity ?? null
    return key.id === undefined ? [] : [{ id: key.id, assetId, assetName: assetId === null ? null : (names.get(assetId) ?? null) }]
  })
  return { keys, readAt, problems }
}
