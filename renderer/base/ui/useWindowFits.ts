import { onScopeDispose, readonly, ref, type Ref } from 'vue'

/** Whether the window fits a media query such as `(max-width: 1120px)`, kept up to date. */
export function useWindowFits(query: string): Readonly<Ref<boolean>> {
  const media = window.matchMedia(query)
  const fits = ref(media.matches)
  const follow = (): void => {
    fits.value = media.matches
  }
  media.addEventListener('change', follow)
  onScopeDispose(() => media.removeEventListener('change', follow))
  return readonly(fits)
}
