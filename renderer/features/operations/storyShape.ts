import type { Story } from '../../../preload/contract/stories.ts'
import type { Shape } from '../../ui/status.ts'

/** The shape of a story is that of what it leads with. */
export function storyShape({ next, needPerson }: Pick<Story, 'next' | 'needPerson'>): Shape {
  if (needPerson > 0) return 'warn'
  if (next.cause === 'underWay') return 'live'
  if (next.cause === 'readBack') return 'unknown'
  return next.cause === 'pause' ? 'wait' : 'defer'
}
