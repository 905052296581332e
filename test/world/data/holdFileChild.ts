import Database from 'better-sqlite3'

/**
 * Holds a data file as a program that is no Fitter: `begin exclusive` until its standard input ends, or for some
 * milliseconds.
 */
const [file = '', forMs = '0'] = process.argv.slice(2)
const sql = new Database(file, { timeout: 20_000 })
sql.exec('begin exclusive')
process.stdout.write('held\n')
const end = (): void => {
  sql.exec('rollback')
  sql.close()
  process.exit(0)
}
if (Number(forMs) > 0) setTimeout(end, Number(forMs))
else process.stdin.on('end', end).resume()
