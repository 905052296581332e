import { message, type Message } from '../../../preload/contract/messages.ts'

export interface AssetNames {
  /** Null where the gateway does not show it. */
  nameOfAsset(assetId: number, signal: AbortSignal): Promise<string | null>
}

/** What a person calls an asset; where the gateway does not show it, its number is all there is. */
export async function nameOf(gateway: AssetNames, assetId: number, signal: AbortSignal): Promise<string | Message> {
  return (await gateway.nameOfAsset(assetId, signal)) ?? message('operations.assetNumber', { number: String(assetId) })
}
