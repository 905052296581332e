import { openLaptop } from '../team/laptop.ts'

/** Hands a job over, or takes a file over, in a process of its own that is killed at the n-th instant. */
const [verb, folder = '', file = '', jobId = '', atText = ''] = process.argv.slice(2)
let left = Infinity
const laptop = openLaptop({
  folder,
  chooseWaitMs: () => 0,
  instant() {
    left -= 1
    if (left < 0) process.kill(process.pid, 'SIGKILL')
  }
})
left = Number(atText)
if (verb === 'give') await laptop.transfers.give({ jobIds: [jobId], to: '', file }, new AbortController().signal)
else await laptop.transfers.take(file)
laptop.end()
