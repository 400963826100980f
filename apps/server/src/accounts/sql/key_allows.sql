-- Whether a key has one of the scopes that a request accepts. `accepted` is null where none is needed, as with a signed-in account.
create or replace function key_allows(of_key uuid, accepted jsonb) returns boolean language sql stable as $$
  select accepted is null or jsonb_typeof(accepted) = 'null' or exists (
    select from api_key k where k.id = of_key and k.scopes && array(select jsonb_array_elements_text(accepted)))
$$;
