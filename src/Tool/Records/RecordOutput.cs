namespace BufferedMessages.Tool;

/// <summary>The output of records, for people or for programs. Serves one thread at a time.</summary>
internal sealed class RecordOutput : IDisposable
{
    private readonly Call _call;
    private readonly SchemaVersions _schemas;
    private readonly RecordText _text;
    private readonly RecordJson _json;
    private long _malformed;

    public RecordOutput(Call call, SchemaVersions schemas, RecordForm form = RecordForm.Line, RecordTemplate? template = null, bool showProperties = false, string? handler = null)
    {
        _call = call;
        _schemas = schemas;
        _text = new RecordText(call, form, template, showProperties);
        _json = new RecordJson(call.Json, handler);
    }

    /// <summary>Writes a record.</summary>
    public void Write(in Delivery<RawMessage> delivery)
    {
        var isWhole = _call.IsJson ? _json.Write(delivery, _schemas) : _text.Write(delivery, _schemas);
        _malformed += isWhole ? 0 : 1;
    }

    /// <summary>Ends the output: messages that break a rule are an answer of their own.</summary>
    public ExitCode End()
    {
        if (_malformed > 0)
        {
            _call.Remark($"{Quantity.Count(_malformed, "message")} not as the schema says.");
        }

        return _malformed == 0 ? ExitCode.Fine : ExitCode.Negative;
    }

    public void Dispose()
    {
        _text.Dispose();
        _json.Dispose();
    }
}
