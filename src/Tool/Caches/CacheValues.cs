using System.Text.Json;
using BufferedMessages.Caching;

namespace BufferedMessages.Tool;

/// <summary>The values of entries, read one at a time. Serves one thread at a time.</summary>
/// <param name="cache">The entries of the cache.</param>
/// <param name="schemas">Its schemas, by their fingerprints.</param>
/// <param name="isReadable">Whether messages are written for people.</param>
internal sealed class CacheValues(CacheListing cache, IReadOnlyDictionary<ulong, MessageSchema> schemas, bool isReadable) : IDisposable
{
    private readonly MessageText _text = new(isReadable);
    private byte[] _value = [];
    private bool _isMessage;

    /// <summary>Gets the last value as text that a terminal can show: a message as JSON, others as base64.</summary>
    public string Line => _isMessage ? _text.Line : Convert.ToBase64String(_value);

    /// <summary>Reads the value of an entry.</summary>
    /// <returns>False if it is not there any more.</returns>
    public bool TryRead(FoundRecord entry)
    {
        if (!cache.TryRead(entry, out var value))
        {
            return false;
        }

        _isMessage = schemas.TryGetValue(entry.Schema, out var schema) && _text.Write(value, schema) is null;
        _value = _isMessage ? [] : value;
        return true;
    }

    /// <summary>Writes the last value as the member <c>message</c> or <c>value</c>.</summary>
    public void Write(Utf8JsonWriter json)
    {
        if (_isMessage)
        {
            json.WritePropertyName("message"u8);
            json.WriteRawValue(_text.Json, skipInputValidation: true);
        }
        else
        {
            json.WriteBase64String("value"u8, _value);
        }
    }

    public void Dispose() => _text.Dispose();
}
