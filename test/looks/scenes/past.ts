import { trainingFolderIn } from '../../../main/app/dataFolder.ts'
import { makeMadeUpLog } from '../../world/data/madeUpLog.ts'
import { makePastJobs } from '../../world/data/pastJobs.ts'
import { keepResults, makeResult } from '../../world/data/trainingResults.ts'
import { place, type Act } from './act.ts'

export const statistics: Act = {
  name: 'statistics',
  fill: (dataFolder) => makePastJobs(dataFolder, 400),
  scenes: [
    {
      name: 'numbers',
      async open(theatre) {
        await place('#/numbers')(theatre)
        await theatre.page.getByRole('row').nth(2).waitFor()
      }
    }
  ]
}

export const training: Act = {
  name: 'training',
  isTraining: true,
  fill: (dataFolder) => keepResults(trainingFolderIn(dataFolder)),
  scenes: [
    { name: 'training-start', open: place('#/start') },
    { name: 'training-devices', open: place('#/devices') },
    {
      name: 'training-home',
      async open(theatre) {
        await place('#/training')(theatre)
        await theatre.page.getByRole('button', { name: /^(No trips since yesterday|Sin viajes desde ayer)/ }).click()
      }
    },
    {
      name: 'training-score',
      async open(theatre) {
        await place(`#/training/${encodeURIComponent(makeResult().at)}`)(theatre)
        await theatre.page.getByRole('button', { name: /^(Next exercise|Siguiente ejercicio)/ }).waitFor()
        await theatre.page.getByRole('button', { name: /^(Show the moment|Mostrar el momento)/ }).click()
      }
    }
  ]
}

export const years: Act = {
  name: 'years',
  fill: (dataFolder) => makeMadeUpLog(dataFolder, { jobs: 5_000, entries: 1 }),
  scenes: [
    { name: 'log', open: place('#/jobs') },
    {
      name: 'log-chosen',
      async open(theatre) {
        await place('#/jobs')(theatre)
        const { page } = theatre
        await page.getByRole('row').nth(1).waitFor()
        for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key)
        await page.getByRole('region', { name: /3 (selected|elegidos)/ }).waitFor()
      },
      leave: ({ page }) => page.getByRole('button', { name: /^(Clear selection|Quitar selección)$/ }).click()
    },
    {
      name: 'log-narrowed',
      async open(theatre) {
        await place('#/jobs')(theatre)
        await theatre.page.getByRole('checkbox', { name: /^(Done, skipped|Con omitidos)/ }).setChecked(true)
      }
    },
    { name: 'numbers-years', open: place('#/numbers') }
  ]
}
