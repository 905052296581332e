import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'

const wcag = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa']

/**
 * What breaks a rule of accessibility on the page as it stands, or in a part of it: of WCAG, or of all that axe knows.
 * The program that looks is brought into a page once, and says nothing of what is in order.
 */
export async function findBrokenRules(
  page: Page,
  { rules = 'wcag', within }: { rules?: 'wcag' | 'all'; within?: string } = {}
): Promise<string[]> {
  // What is on its way to another colour, or still counts, is not judged.
  await page.waitForFunction(() => {
    const isMoving = document
      .getAnimations()
      .some(({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations !== Infinity)
    return !isMoving && !document.querySelector('.skeleton, [aria-busy="true"]')
  })
  const isThere = await page.evaluate(() => 'axe' in window)
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: 'void 0' } : {}) })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
  if (rules === 'wcag') axe.withTags(wcag)
  if (within !== undefined) axe.include(within)
  const { violations } = await axe.analyze()
  // A control at the fold of a part that scrolls is cut until it is scrolled to: its own size is measured by
  // `findUglyThings`.
  const isAtFold = (id: string, summary: string | undefined): boolean =>
    id === 'target-size' && /partially obscured/.test(summary ?? '')
  return violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter(({ failureSummary }) => !isAtFold(id, failureSummary))
      .map(
        ({ html, failureSummary }) =>
          `${id}, ${help}: ${html.slice(0, 160)} ${failureSummary?.split('\n').at(1)?.trim() ?? ''}`
      )
  )
}
