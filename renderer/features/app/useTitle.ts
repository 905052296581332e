import { watchEffect } from 'vue'
import { place } from '../../router.ts'
import { t } from '../../texts.ts'
import { useOperations } from '../operations/operations.store.ts'
import { isPartOf, railItems } from './railItems.ts'

/** The title of the window tells where one is, and how much needs the person, also while another window is in front. */
export function useTitle(): void {
  const operations = useOperations()
  watchEffect(() => {
    const part = railItems.find((item) => isPartOf(item, place.value.screen)) ?? railItems[0]
    const screen = t(`windowApp.rail.${part.screen}`)
    document.title = `${operations.needPerson > 0 ? `(${operations.needPerson}) ` : ''}Fitter: ${screen}`
  })
}
