using System.Buffers;
using System.Globalization;

namespace BufferedMessages.Queues;

/// <summary>The check of payloads against the control file: messages by the newest schema, values by their size. Raw bytes have no rule. Thread-safe.</summary>
internal sealed class ContentCheck
{
    private readonly MessageSchema? _schema;
    private readonly int? _valueBytes;

    private ContentCheck(MessageSchema? schema, int? valueBytes)
    {
        _schema = schema;
        _valueBytes = valueBytes;
    }

    /// <summary>The check for a queue. If its stored text is damaged, there is no rule: the control file is reported as damaged.</summary>
    public static ContentCheck Of(ControlMap control)
    {
        try
        {
            return StoredContent.ContentOf(control) switch
            {
                { Kind: ContentKind.Message } content => new ContentCheck(content.Versions[^1].Schema, valueBytes: null),
                { Kind: ContentKind.Value, HasItsFingerprint: true } content => new ContentCheck(schema: null, SizeIn(content.Text)),
                _ => new ContentCheck(schema: null, valueBytes: null),
            };
        }
        catch (FormatException)
        {
            return new ContentCheck(schema: null, valueBytes: null);
        }
    }

    /// <summary>Finds the rule that a payload breaks; null if there is none.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="isChanging">Whether a producer may overwrite the payload during the call. It is verified in a copy then.</param>
    public string? FaultOf(ReadOnlySpan<byte> payload, bool isChanging)
    {
        if (_valueBytes is { } bytes)
        {
            return payload.Length == bytes ? null : $"a value of {bytes} bytes has {payload.Length}";
        }

        if (_schema is null)
        {
            return null;
        }

        if (!isChanging)
        {
            return FaultOf(payload);
        }

        var copy = ArrayPool<byte>.Shared.Rent(payload.Length);
        payload.CopyTo(copy);
        var fault = FaultOf(copy.AsSpan(0, payload.Length));
        ArrayPool<byte>.Shared.Return(copy);
        return fault;
    }

    private static int? SizeIn(string text) =>
        text.Split(' ') is ["value", "of", var size, ..] && int.TryParse(size, NumberStyles.None, CultureInfo.InvariantCulture, out var bytes) ? bytes : null;

    private string? FaultOf(ReadOnlySpan<byte> payload) =>
        _schema!.Check.Verify(payload, out var error, exact: false) ? null : $"the message breaks a rule of its schema: {error}";
}
