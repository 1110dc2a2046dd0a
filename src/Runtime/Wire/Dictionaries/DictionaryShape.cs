using System.Collections.Concurrent;
using System.Collections.Frozen;
using System.Collections.Immutable;
using System.ComponentModel;

namespace BufferedMessages.Wire;

/// <summary>The dictionary type of the source. For generated code.</summary>
/// <typeparam name="TDictionary">The C# type of the dictionary.</typeparam>
/// <typeparam name="TKey">The C# type of a key.</typeparam>
/// <typeparam name="TValue">The C# type of a value.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IDictionaryShape<TDictionary, TKey, TValue>
    where TKey : notnull
{
    /// <summary>Creates the dictionary from these entries, which it may keep; returns null for null.</summary>
    static abstract TDictionary? Make(Dictionary<TKey, TValue>? entries);
}

/// <summary>All the C# types of dictionaries. For generated code.</summary>
/// <typeparam name="TKey">The C# type of a key.</typeparam>
/// <typeparam name="TValue">The C# type of a value.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct DictionaryShape<TKey, TValue> :
    IDictionaryShape<Dictionary<TKey, TValue>, TKey, TValue>,
    IDictionaryShape<IDictionary<TKey, TValue>, TKey, TValue>,
    IDictionaryShape<IReadOnlyDictionary<TKey, TValue>, TKey, TValue>,
    IDictionaryShape<SortedDictionary<TKey, TValue>, TKey, TValue>,
    IDictionaryShape<ConcurrentDictionary<TKey, TValue>, TKey, TValue>,
    IDictionaryShape<ImmutableDictionary<TKey, TValue>, TKey, TValue>,
    IDictionaryShape<ImmutableSortedDictionary<TKey, TValue>, TKey, TValue>,
    IDictionaryShape<FrozenDictionary<TKey, TValue>, TKey, TValue>
    where TKey : notnull
{
    static Dictionary<TKey, TValue>? IDictionaryShape<Dictionary<TKey, TValue>, TKey, TValue>.Make(Dictionary<TKey, TValue>? entries) => entries;

    static IDictionary<TKey, TValue>? IDictionaryShape<IDictionary<TKey, TValue>, TKey, TValue>.Make(Dictionary<TKey, TValue>? entries) => entries;

    static IReadOnlyDictionary<TKey, TValue>? IDictionaryShape<IReadOnlyDictionary<TKey, TValue>, TKey, TValue>.Make(Dictionary<TKey, TValue>? entries) => entries;

    static SortedDictionary<TKey, TValue>? IDictionaryShape<SortedDictionary<TKey, TValue>, TKey, TValue>.Make(Dictionary<TKey, TValue>? entries) =>
        entries is null ? null : new SortedDictionary<TKey, TValue>(entries, SortedKeys.OrderOf<TKey>());

    static ConcurrentDictionary<TKey, TValue>? IDictionaryShape<ConcurrentDictionary<TKey, TValue>, TKey, TValue>.Make(Dictionary<TKey, TValue>? entries) =>
        entries is null ? null : new ConcurrentDictionary<TKey, TValue>(entries);

    static ImmutableDictionary<TKey, TValue>? IDictionaryShape<ImmutableDictionary<TKey, TValue>, TKey, TValue>.Make(Dictionary<TKey, TValue>? entries) =>
        entries?.ToImmutableDictionary();

    static ImmutableSortedDictionary<TKey, TValue>? IDictionaryShape<ImmutableSortedDictionary<TKey, TValue>, TKey, TValue>.Make(Dictionary<TKey, TValue>? entries) =>
        entries?.ToImmutableSortedDictionary(SortedKeys.OrderOf<TKey>());

    static FrozenDictionary<TKey, TValue>? IDictionaryShape<FrozenDictionary<TKey, TValue>, TKey, TValue>.Make(Dictionary<TKey, TValue>? entries) =>
        entries?.ToFrozenDictionary();
}
