import type { RemedyAction } from '../../../../preload/contract/support/diagnosis.ts'
import type { Message } from '../../../../preload/contract/messages.ts'
import { languages } from '../../../base/languages.ts'
import { sayIn } from '../../../base/say.ts'

/** The complete request to the administrator of the gateway, in every language of Fitter. */
export async function requestText(
  { username, scope, status }: Extract<RemedyAction, { kind: 'askAdministrator' }>,
  { vehicle, url }: { vehicle: string; url: string }
): Promise<string> {
  const about = { user: username ?? '-', host: URL.canParse(url) ? new URL(url).host : url, vehicle }
  const request: Message =
    scope === null
      ? { id: 'windowDiagnosing.request.group', values: about }
      : {
          id: 'windowDiagnosing.request.right',
          values: { ...about, scope, isAnswered: status === null ? 'no' : 'yes', status: String(status ?? '') }
        }
  return (await Promise.all(languages.map(({ value }) => sayIn(value, request)))).join('\n\n')
}
