import { computed, inject, type ComputedRef, type InjectionKey, type Ref } from 'vue'
import type { TemplateFinding } from '../../../preload/contract/job/templates.ts'

/** What is wrong with what is on the screen, for the fields that it is shown beside. */
export const findingsKey: InjectionKey<Readonly<Ref<readonly TemplateFinding[]>>> = Symbol('findings')

/** The findings at a place; with `inside`, also those of its parts. */
export function findingsAt(all: readonly TemplateFinding[], path: string, inside: boolean): TemplateFinding[] {
  return all.filter(
    (one) => one.path === path || (inside && (one.path.startsWith(`${path}.`) || one.path.startsWith(`${path}[`)))
  )
}

/** The same for a field, as they come and go. */
export function useFindings(path: () => string, inside: boolean): ComputedRef<TemplateFinding[]> {
  const all = inject(findingsKey, undefined)
  return computed(() => findingsAt(all?.value ?? [], path(), inside))
}
