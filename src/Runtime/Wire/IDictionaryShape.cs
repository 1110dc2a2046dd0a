using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>Makes the dictionary type of the source. For generated code.</summary>
/// <typeparam name="TDictionary">The C# type of the dictionary.</typeparam>
/// <typeparam name="TKey">The C# type of a key.</typeparam>
/// <typeparam name="TValue">The C# type of a value.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IDictionaryShape<TDictionary, TKey, TValue>
    where TKey : notnull
{
    /// <summary>The dictionary of these entries, which it may keep; null gives null.</summary>
    static abstract TDictionary? Make(Dictionary<TKey, TValue>? entries);
}
