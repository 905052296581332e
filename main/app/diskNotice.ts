import type { Notice } from '../../preload/contract/app/app.ts'
import { message, type Message } from '../../preload/contract/messages.ts'
import type { Disk } from '../data/store/file/disk.ts'

/** The notice about the state of the disk; it disappears when the disk works again. */
export function diskNotice(disk: Pick<Disk, 'standing' | 'hasFailed'>): Notice | undefined {
  switch (disk.standing()) {
    case 'full':
      return notice(message('store.noticeFull'), message('store.noticeFullRemedy'))
    case 'held':
      return notice(message('store.noticeHeld'), message('store.noticeHeldRemedy'))
    case 'reserve':
      return notice(message('store.noticeReserve'), message('store.noticeReserveRemedy'))
    case 'failing':
    case 'unsure':
      return notice(message('store.noticeFailing'), message('store.noticeFailingRemedy'))
    case 'usable':
      return disk.hasFailed() ? notice(message('store.noticeFailed'), message('store.noticeFailedRemedy')) : undefined
  }
}

function notice(text: Message, remedy: Message): Notice {
  return { id: 'disk', level: 'warn', text, remedy }
}
