/**
 * What an entry looks like. An entry is accepted only as Fitter writes it, byte for byte: with an extra space, a
 * repeated key or another spelling its hash would match here and nowhere else, and nobody could read the job any more.
 */
export const form = String.raw`
-- What an entry says of itself. A text may hold escapes that no text of this server can (zeros, halves of a pair): here they
-- are not read. null where it is no JSON.
create function fitter.read_entry(given text) returns json language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  return replace(given, '\u', '/u')::json;
exception when data_exception or statement_too_complex then return null;
end $$;

-- A number as JSON.stringify writes it: the shortest digits that give the same number.
create function fitter.is_number(said text) returns boolean language sql immutable set search_path = pg_catalog, pg_temp as $$
  select said ~ '^-?(0|[1-9]\d*)(\.\d+)?(e[+-][1-9]\d*)?$' and said <> '-0' and said !~ '\.\d*0(e|$)' and case
    when length(said) > 30 then false
    else said::numeric = said::float8::text::numeric and (said ~ 'e') = (abs(said::numeric) >= 1e21 or (said::numeric <> 0 and abs(said::numeric) < 1e-6)) and (said !~ 'e' or said ~ '^-?[1-9](\.|e)')
  end
$$;

-- A value as Fitter writes it: keys in order, each once, no space; null where it holds what Fitter does not write.
create function fitter.as_written(given json) returns text language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
  case json_typeof(given)
    when 'object' then
      return (select '{' || coalesce(string_agg(to_json(m.key)::text || ':' || coalesce(fitter.as_written(m.value), '?'), ',' order by m.key collate "C"), '') || '}' from json_each(given) m having count(*) = count(distinct m.key));
    when 'array' then
      return (select '[' || coalesce(string_agg(coalesce(fitter.as_written(e.value), '?'), ',' order by e.n), '') || ']' from json_array_elements(given) with ordinality as e (value, n));
    when 'string' then return to_json(given #>> '{}')::text;
    when 'number' then return case when fitter.is_number(given::text) then given::text end;
    else return given::text;
  end case;
end $$;

-- Where it begins and ends as an entry does and has these five keys, each once. Nothing else can then be read of it than what it says.
create function fitter.is_entry_at_sight(given text) returns boolean language sql immutable set search_path = pg_catalog, pg_temp as $$
  select coalesce(given ~ '^\{"at":"[^"\\]{1,40}","data":.*,"seq":[1-9]\d{0,9},"stepId":(null|"[^"]{0,250}"),"type":"[^"\\]{1,60}"\}$'
    and (select array_agg(k) = '{at,data,seq,stepId,type}' from json_object_keys(replace(given, '\u', '/u')::json) k), false)
$$;

-- Byte for byte as Fitter writes it. Backslashes and escapes that no text of this server can hold (see read_entry) stand as signs of
-- their own while it is written anew.
create function fitter.is_entry(given text) returns boolean language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
declare
  plain text := given;
begin
  if fitter.is_entry_at_sight(given) is not true then return false; end if;
  if position('\' in given) > 0 then
    plain := replace(given, '\\', U&'\E000');
    -- What needs no escape is written as it is: all but what cannot be seen, and halves of a pair.
    if plain ~ '\\u(?!00(0[0-7be-f]|1[0-9a-f])|d[89a-f][0-9a-f]{2})' or plain ~ '\\ud[89ab][0-9a-f]{2}\\ud[c-f]' then return false; end if;
    plain := replace(plain, '\u', U&'\E001');
  end if;
  return fitter.as_written(plain::json) is not distinct from plain;
exception when data_exception or statement_too_complex then return false;
end $$;
`
