import jpeg from 'jpeg-js'
import { expect, test } from 'vitest'
import { BrokenScan } from '../../../main/photos/jpegScan.ts'
import { takeApart } from '../../../main/photos/pictureParts.ts'
import { readJpeg, scaledLength, type JpegScale } from '../../../main/photos/readJpeg.ts'
import { jpegPicture } from '../../support/pictures.ts'

/** The same coefficients of 45 x 35 points, colour at half the size, as libjpeg writes them: in one piece, and progressive with restarts. */
const baseline = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCAAjAC0DASIAAhEBAxEB/8QAGAAAAwEBAAAAAAAAAAAAAAAABQYHAAT/xAAqEAACAQMDAwMDBQAAAAAAAAABAgMABBEFBhIhMUETFSJRYZEUQmJxgf/EABkBAQACAwAAAAAAAAAAAAAAAAYDBQACBP/EADERAAECAwUGAgsAAAAAAAAAAAECAwAEBQYREiExE0FhkaHwUbEiIzNCUnFzgaKywf/aAAwDAQACEQMRAD8AoNosFzajtkik/dWjq6OUWh+mbp9JQjPRv3OG/jPJhihlNpDqHNodIyvTjtH9W1EU1TSZorkkA96M7bke1lT1DxGfJp+utvfr8tGnEH7dTQO62z7fl2HXvjyaYJmZJ5rAlF/E5DvlEtnMNTOKYihaFq9r6Kq8gzj+67buW0nkDcT+BUi96lsH4ouAPLV3228CY/lcDP2GaqHKGjFtEpAB8B/VEdIktK2ZO5MuYS7+Sa1nIGeholoeuSPdLGzfFT9e5o9qu3/XLSKmQOvSl620SWwYylTnxnyavpVxh6RQ0rK/M/Id9I45dxFfe9KLXt+7ilhRPiXI/Fdes6bAbYkKGduuKm2j602mqvInke2aZotzxyp6fMNIe+fFHJmTdS9tEjTQfD4Zbye8osKjJmiM4monm69LkWRieg8KtJ8YuIQRxVR/I1abqwj1HlxAZiOrHxQOXZoLkrCXB/caQylTShIQ5rzPkSbuFwEH6bUlVJwh7dDVZor2hLKCcY61zapbQCFAI165NatRhlSgAAfdT+0bWLyd+8IOr/C6YL0xgDFC9OupwSwkbJPf/a1amLfslH6nTTlCy1WbWfCKftti6QqxyD3H1p4METnDRggAY/FatQ+rAbQjdekfjf55wLogAWbuMf/Z',
  'base64'
)
const progressive = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wgARCAAjAC0DASIAAhEBAxEB/8QAGAAAAwEBAAAAAAAAAAAAAAAAAAQFBgP/xAAYAQEBAQEBAAAAAAAAAAAAAAAFBAMAAv/dAAQAAv/aAAwDAQACEAMQAAAB0Edd4XsS7fRY9f/Qr9sj3i0isvz78f/Rs9s1TP2z0faIon//0n+YGTQFQZW//9Nm4BsX/8QAHRAAAgMAAwEBAAAAAAAAAAAAAQIAAwQREhMyIf/aAAgBAQABBQJeGXVTP//QtqIbMep//9Gi1eGKk//Sr1cT0Dj/02z942bzn//U9ikXZ+f/1XJU0Xnt/9bOwIurHX//19VR5HYT/9C3PzFpKT//0abvODSDP//SZBZDjn//00+bVHH/1LfqtjP/1c04E//EACARAAIBAwQDAAAAAAAAAAAAAAAEAgMFIQERIjITFDH/2gAIAQMBAT8BfrST4xLdszmof//QuUfDimU5aPzyf//RYo+lDeIszqzLmf/SsvYuvU//00vp/8QAIhEAAgIBAwQDAAAAAAAAAAAAAQIAAwQREjKBgpGxofDx/9oACAECAQE/AcbEYNugspddAJ//0GwRruA+9ZUyPQFM/9Gylg+4fkqyQBo0/9JCfge4vE90/9PL5ePU/8QAGxABAAMBAAMAAAAAAAAAAAAAABARMSEBMkH/2gAIAQEABj8Cj//Qdf/R2P/Sj//T5H//1Hs//9VT/9aP/9eP/9C1v//RV9f/0mP/02P/1Gv/1fDH/8QAHhABAQEBAQACAwEAAAAAAAAAAQARITFBUWFxkbH/2gAIAQEAAT8hNSRwv//QmIXi/9HHGbbL/9LJi3vN/9P2jL3N/9Tbgf2+RP/VroKeF//WEnNvhtW//9ci/wAL6Ifu/9DpBK8X/9FSb7CdbP/S3M6/d15v83//0wPZYfF//9Tl5evV/9VaFtvZ/9oADAMBAAIAAwAAABDqP//QV5//0bzf/9KMH//T9//EABsRAAICAwEAAAAAAAAAAAAAAAABESEQQWGB/9oACAEDAQE/EAmaH//QdBmDP//RcSwLQ//Sp7LX4f/TVJ46f//EACERAAEDAwQDAAAAAAAAAAAAAAEAESExkfBBYaGxUXHB/9oACAECAQE/EHcopbdzAyy//9CCAB8D6Q4UEzyfQzhf/9FqFKDhGpOQhqtc9EltmAX/0gAAChVYall//9MA4aOHbuV//8QAHhABAAMAAgMBAQAAAAAAAAAAAQARITFBUWGRcYH/2gAIAQEAAT8QLcWkR5f/0EaDzLLUvtn/0awrr9h6z4T/0q6W6oqf/9PXRPrWaC3mu2f/1OHQdwzgv0XP/9ViF4zRAeeWf//W12Z8jWg1VP/XYHDqABKHtP/Qu2IbkfNX1fbP/9GwDbi5m1Ob6n//0sUENXUJahe0/9NWgtVsGJpbP//UzMVQVCqLF5/s/9VHFjyeYvoEAr5P/9k=',
  'base64'
)

function read(picture: Uint8Array, scale: JpegScale = 1) {
  const parts = takeApart(picture)
  if (parts.kind !== 'jpeg') throw new Error('No JPEG')
  const [width, height] = [scaledLength(parts.width, scale), scaledLength(parts.height, scale)]
  const data = new Uint8Array(width * height * 3)
  const rows: number[] = []
  readJpeg(parts.parts, scale, (row, y) => {
    rows.push(y)
    data.set(row, y * width * 3)
  })
  expect(rows).toEqual(Array.from({ length: height }, (_, y) => y))
  return { width, height, data }
}

/** How far two lists of numbers are apart at most. */
function apart(some: ArrayLike<number>, others: ArrayLike<number>): number {
  return Array.from(some).reduce((most, value, at) => Math.max(most, Math.abs(value - others[at]!)), 0)
}

test.for([
  ['in one piece', baseline],
  ['a slope', jpegPicture(70, 50)],
  ['of one block', jpegPicture(3, 3)]
] as const)('a picture has the points that another decoder gives it: %s', ([, picture]) => {
  const other = jpeg.decode(picture, { useTArray: true, formatAsRGBA: false })
  const { width, height, data } = read(picture)
  expect([width, height]).toEqual([other.width, other.height])
  expect(apart(data, other.data)).toBeLessThanOrEqual(3)
})

test('a progressive picture has exactly the points of the same picture in one piece, at every size', () => {
  for (const scale of [1, 2, 4, 8] as const) expect(read(progressive, scale)).toEqual(read(baseline, scale))
})

test('read smaller, each point is about the mean of those that it stands for', () => {
  const whole = read(jpegPicture(128, 64))
  for (const scale of [2, 4, 8] as const) {
    const small = read(jpegPicture(128, 64), scale)
    const means = Array.from({ length: small.data.length }, (_, at) => {
      const [x, y, colour] = [Math.floor(at / 3) % small.width, Math.floor(at / 3 / small.width), at % 3]
      const points = Array.from(
        { length: scale * scale },
        (_one, n) =>
          whole.data[3 * ((y * scale + Math.floor(n / scale)) * whole.width + x * scale + (n % scale)) + colour]!
      )
      return points.reduce((sum, value) => sum + value, 0) / points.length
    })
    expect(apart(small.data, means)).toBeLessThanOrEqual(4)
  }
})

test('a progressive picture changed at any place is read or refused, and never brings anything down', () => {
  for (let at = 2; at < progressive.length; at += 3) {
    for (const bits of [0xff, 0x10, 0x01]) {
      const changed = Buffer.from(progressive)
      changed[at]! ^= bits
      let parts
      try {
        parts = takeApart(changed)
      } catch {
        continue
      }
      if (parts.kind !== 'jpeg' || parts.width * parts.height > 1_000_000) continue
      try {
        readJpeg(parts.parts, 2, () => undefined)
      } catch (error) {
        expect(error).toBeInstanceOf(BrokenScan)
      }
    }
  }
})
