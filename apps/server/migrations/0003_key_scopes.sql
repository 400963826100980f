-- What a key may be used for. Keys from before keep what they could do: all but settings, which needed a sign-in.
alter table api_key add column scopes text[] not null default '{images,batch,usage}';
