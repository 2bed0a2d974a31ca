// The baseline of bench/nested.ts: one hand-written prepared statement for each document, which builds the whole
// response. It checks no key and reads no document.
import express from 'express'
import pg from 'pg'
import { floorApp, listening } from '../floor/app.ts'
import { type DocumentName, statements } from './statements.ts'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 24 })
const app = floorApp()

app.post('/:document', express.json(), async (req, res) => {
  const name = req.params.document as DocumentName
  const values = [req.body.id, process.env.PUBLIC_BASE_URL]
  const { rows } = await pool.query<{ body: string }>({ name, text: statements[name], values })
  res.type('application/json').send(rows[0]?.body)
})
listening(app)
