import { plainMessage } from '../../../preload/contract/messages.ts'
import type { JobSummary } from '../../../preload/contract/job/jobs.ts'

/** The summary of a made-up job, as the job engine hands it to the store. */
export function summaryOf(id: string, more: Partial<JobSummary> = {}): JobSummary {
  return {
    id,
    kind: 'installation',
    state: 'running',
    template: { id: 'standard-installation', version: 1, name: plainMessage('Standard installation') },
    device: { imei: '356938035643809', model: 'ft4', address: '192.168.1.20:80' },
    vehicle: null,
    customer: '',
    technician: '',
    createdAt: '2026-03-01T10:00:00.000Z',
    updatedAt: '2026-03-01T10:00:00.000Z',
    stepsDone: 0,
    stepsTotal: 13,
    ...more
  }
}
