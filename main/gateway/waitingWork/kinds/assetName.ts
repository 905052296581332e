import { message, type Message } from '../../../../preload/contract/messages.ts'

export interface AssetNames {
  /** Null when the gateway does not show it. */
  nameOfAsset(assetId: number, signal: AbortSignal): Promise<string | null>
}

/** The name of an asset; its number when the gateway does not show it. */
export async function nameOf(gateway: AssetNames, assetId: number, signal: AbortSignal): Promise<string | Message> {
  return (await gateway.nameOfAsset(assetId, signal)) ?? message('operations.assetNumber', { number: String(assetId) })
}
