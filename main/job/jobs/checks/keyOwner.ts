import { message, type Message } from '../../../../preload/contract/messages.ts'
import { askPatiently } from '../engine/askGateway.ts'
import { awaitWork } from '../engine/gatewayWork.ts'
import { copiedAsset } from '../engine/recall.ts'
import { deferred, fail, type CheckContext, type Outcome } from '../engine/check.ts'

const waitMs = 45_000

/** Asks for the owner of a key and registers it for them; the person can leave the answer empty. */
export async function registerKey(
  context: CheckContext<'iButton'>,
  id: string
): Promise<{ kind: 'registered'; assetId: number } | { kind: 'ended'; outcome: Outcome }> {
  const { operations, job, signal } = context
  let hint: Message | null = null
  for (;;) {
    context.show({ say: message('accessoryChecks.keyNotRegistered', { id }), hint, meters: [], leftMs: null })
    const answer = await context.ask({
      kind: 'choose',
      text: message('accessoryChecks.whoseKey', { id }),
      entity: 'asset',
      optional: true
    }).answered
    const text = answer.choose?.trim() ?? ''
    const notRegistered = fail(
      message('accessoryChecks.keyNotRegistered', { id }),
      message('accessoryChecks.registerIt'),
      ['gateway']
    )
    if (text === '') return { kind: 'ended', outcome: notRegistered }
    const reply = await askPatiently(context, () => context.gateway.findExact('asset', text, signal))
    if (reply.kind === 'away') return { kind: 'ended', outcome: await registerLater(context, id, text) }
    if (reply.kind === 'no')
      return { kind: 'ended', outcome: fail(reply.why, message('jobs.askWhetherShown'), ['gateway']) }
    if (reply.value.kind !== 'one') {
      const names = reply.value.similar.slice(0, 3).map((asset) => asset.name)
      hint = names.length > 0 ? message('link.similar', { text, names }) : message('link.notShown', { text })
      continue
    }
    const { entity } = reply.value
    const { id: operationId } = operations.addKey({ jobId: job.id, id, assetId: entity.id, assetName: entity.name })
    context.show({ say: message('accessoryChecks.registering', { id, name: entity.name }), hint: null, leftMs: waitMs })
    const operation = await awaitWork(context, operationId, waitMs)
    if (operation.state === 'done') return { kind: 'registered', assetId: entity.id }
    if (operation.state === 'failed' || operation.state === 'needsAttention')
      return { kind: 'ended', outcome: fail(operation.reason, message('link.lookUnderWaiting'), ['gateway']) }
    return {
      kind: 'ended',
      outcome: deferred(
        message('jobs.waitsForGateway', { why: operation.reason }),
        message('accessoryChecks.runKeyAgain')
      )
    }
  }
}

/**
 * For the owner if the local copy has exactly one match, otherwise for the asset with this name when the gateway
 * answers.
 */
async function registerLater(
  { operations, job, gateway }: CheckContext<'iButton'>,
  id: string,
  text: string
): Promise<Outcome> {
  const asset = copiedAsset(await gateway.findCopied('asset', text))
  operations.addKey(
    asset
      ? { jobId: job.id, id, assetId: asset.id, assetName: asset.name, copied: [asset] }
      : { jobId: job.id, id, assetId: null, assetName: text }
  )
  const summary = asset
    ? message('copied.key', { id, asset: asset.name, copiedAt: asset.copiedAt ?? '' })
    : message('copied.keyAsTyped', { id, text })
  return deferred(summary, message('accessoryChecks.runKeyAgain'))
}
